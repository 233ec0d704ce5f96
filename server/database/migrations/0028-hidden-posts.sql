-- Posts that nobody but their authors sees, groups that nobody but their members sees, and why a case was decided as it was.

alter table posts
  -- Who took it out of everybody's sight: its author, the admin of its group, or a moderator.
  add column hidden_by text constraint posts_hidden_by check (hidden_by in ('author', 'group', 'moderator')),
  add column hidden_at timestamptz(3),
  add constraint posts_hidden check ((hidden_by is null) = (hidden_at is null));
create index posts_hidden on posts (creator_id) where hidden_by is not null;
alter table groups add column hidden_at timestamptz(3);

-- As before (0019). What an author or an admin hid in a group is hidden there alone: in another place it is seen again,
-- unless it is hidden anew with that.
create or replace function share_post() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.group_id is distinct from new.group_id and new.hidden_by in ('author', 'group')
    and new.hidden_at is not distinct from old.hidden_at then
    new.hidden_by := null;
    new.hidden_at := null;
  end if;
  if new.group_id is not null then
    new.followers_only := false;
  elsif tg_op = 'INSERT' or old.group_id is not null then
    new.followers_only := coalesce(
      (select u.is_private from users u where u.id = new.creator_id for no key update), false);
  end if;
  return new;
end $$;

-- As before (0019). The rule of reading asks a deleted post too whether it was hidden, where it is a cursor.
create or replace function remember_deleted() returns trigger language plpgsql as $$
declare
  gone jsonb := to_jsonb(old);
begin
  insert into deleted_rows (collection, public_id, row_id, created_at, updated_at, keys)
  values (tg_argv[0], old.public_id, old.id, old.created_at,
          coalesce((gone ->> 'updated_at')::timestamptz, old.created_at),
          (select jsonb_object_agg(key, value) from jsonb_each(gone)
           where (key = 'id' or key like '%\_id') and jsonb_typeof(value) = 'number'
             or key in ('followers_only', 'hidden_by', 'hidden_at')))
  on conflict (collection, public_id)
  do update set row_id = excluded.row_id, created_at = excluded.created_at, updated_at = excluded.updated_at,
                deleted_at = excluded.deleted_at, keys = excluded.keys;
  return null;
end $$;

-- What a moderator writes about a decision, for whom it is about.
alter table moderation_cases add column reason text
  constraint moderation_cases_reason check (char_length(reason) between 1 and 500);
update moderation_cases c set reason = (
  select left(l.detail ->> 'text', 500) from moderation_log l where l.case_id = c.id and l.act = c.decision
  order by l.id desc limit 1
) where c.status = 'decided';
create index moderation_cases_of_subject on moderation_cases (subject_id, decided_at desc) where status = 'decided';
