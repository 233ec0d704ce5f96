-- A member may take another username, once in two weeks. The one that was left is nobody else's for thirty days: whoever took
-- it at once would be taken for the member who was known by it.
alter table accounts add column username_changed_at timestamptz(3);

create table held_usernames (
  username_skeleton text collate "C" primary key
    constraint held_usernames_skeleton_length check (char_length(username_skeleton) <= 1000),
  account_id bigint not null references accounts on delete cascade,
  held_until timestamptz(3) not null default clock_timestamp() + interval '30 days'
);
create index held_usernames_by_account on held_usernames (account_id);
create index held_usernames_by_time on held_usernames (held_until);

-- After the row is written: a writer of the same username has waited at the unique index for whoever leaves it, and only a
-- statement that begins after that sees what the other left.
create function hold_usernames() returns trigger language plpgsql as $$
begin
  if exists (
    select from held_usernames h where h.username_skeleton = new.username_skeleton
      and h.account_id is distinct from new.account_id and h.held_until > clock_timestamp()
  ) then
    raise exception 'a username that another member left' using errcode = '23505', constraint = 'users_username_held', table = 'users';
  end if;
  delete from held_usernames h where h.username_skeleton = new.username_skeleton;
  if tg_op = 'UPDATE' and old.username_skeleton is distinct from new.username_skeleton
    and old.username_skeleton is not null
  then
    insert into held_usernames as h (username_skeleton, account_id) values (old.username_skeleton, old.account_id)
    on conflict (username_skeleton) do update set account_id = excluded.account_id, held_until = excluded.held_until;
  end if;
  return null;
end $$;
create trigger users_hold_username_new after insert on users for each row execute function hold_usernames();
create trigger users_hold_username after update of username on users for each row
  when (old.username is distinct from new.username) execute function hold_usernames();
