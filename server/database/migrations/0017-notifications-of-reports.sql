-- Reports notify moderators, and decisions notify the members who reported.
alter table notifications add column report_id bigint references reports on delete cascade;
create index notifications_of_report on notifications (report_id) where report_id is not null;

-- When the moderators were emailed that the case waits.
alter table moderation_cases add column emailed_at timestamptz(3);
create index moderation_cases_to_email on moderation_cases (created_at) where status = 'open' and emailed_at is null;

-- Records for the notifications alone that a report or a case is new, claimed or decided: without candidates, no socket receives it.
create function record_moderation() returns trigger language plpgsql as $$
begin
  insert into changes (collection, kind, row_id, public_id, member_ids)
  values (tg_argv[0], case tg_op when 'INSERT' then 'create' else 'update' end, new.id, new.public_id, '{}');
  return null;
end $$;
create trigger reports_change after insert on reports for each row execute function record_moderation('reports');
create trigger moderation_cases_created after insert on moderation_cases for each row
  execute function record_moderation('moderationCases');
create trigger moderation_cases_changed after update of status, claimed_by on moderation_cases for each row
  when (new.status <> old.status or new.claimed_by is distinct from old.claimed_by)
  execute function record_moderation('moderationCases');

update notification_delivery set push_kinds = push_kinds || array['follow-accepted', 'guest-joined', 'report', 'report-decided']
  where push_kinds is not null;
update notification_delivery set mail_kinds = mail_kinds || array['follow-accepted', 'guest-joined', 'report', 'report-decided']
  where mail_kinds is not null;
