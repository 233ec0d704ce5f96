-- A group's posts outlive it: they are out of everybody's sight with their group, and deleted a batch at a time (decision 0198).

create table deleted_groups (
  id bigint primary key,
  deleted_at timestamptz(3) not null default clock_timestamp()
);

-- What the foreign key asked of a post that comes into a group, in the same place: after the membership that grants it is locked, as
-- whoever deletes a group locks its members before the group.
create function require_group_of_post() returns trigger language plpgsql as $$
begin
  perform from groups where id = new.group_id for key share;
  if not found then
    raise exception 'the group is gone' using errcode = '23503', constraint = 'posts_group_id_fkey', table = 'posts';
  end if;
  return null;
end $$;
create trigger posts_group_of_new after insert on posts for each row
  when (new.group_id is not null) execute function require_group_of_post();
create trigger posts_group_of_moved after update of group_id on posts for each row
  when (new.group_id is not null and new.group_id is distinct from old.group_id) execute function require_group_of_post();
alter table posts drop constraint posts_group_id_fkey;

create function keep_key_of_deleted_group() returns trigger language plpgsql as $$
begin
  insert into deleted_groups (id) values (old.id);
  return null;
end $$;
create trigger groups_keep_key after delete on groups for each row execute function keep_key_of_deleted_group();
