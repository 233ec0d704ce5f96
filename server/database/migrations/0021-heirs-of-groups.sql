-- A group whose admin is away and that nobody else could take over: hidden while the admin's account is closed.
alter table groups add column without_heir boolean not null default false;
create index groups_without_heir on groups (admin_id) where without_heir;

-- How a group passed on without the admin's own handover: who received it may decline it, and an overturned suspension gives it back.
create table group_handovers (
  id bigint generated always as identity primary key,
  group_id bigint not null references groups on delete cascade,
  from_id bigint references users,
  to_id bigint not null references users,
  case_id bigint references moderation_cases on delete set null,
  created_at timestamptz(3) not null default clock_timestamp(),
  declined_at timestamptz(3)
);
create index group_handovers_of_group on group_handovers (group_id);
create index group_handovers_of_giver on group_handovers (from_id);
create index group_handovers_of_receiver on group_handovers (to_id);
create index group_handovers_of_case on group_handovers (case_id) where case_id is not null;

-- Members who chose what to be pushed or emailed chose before this kind existed.
update notification_delivery set push_kinds = push_kinds || array['group-handover'] where push_kinds is not null;
update notification_delivery set mail_kinds = mail_kinds || array['group-handover'] where mail_kinds is not null;
