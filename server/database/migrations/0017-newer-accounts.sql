-- A block's newer accounts must not lead the blocker to somebody who flees under a new name: where both have blocked each other
-- neither block holds for newer accounts, and the blocker is told of none.

create or replace function newer_accounts() returns table (block_id bigint, blocker_id bigint, member_id bigint)
language sql stable as $$
  select distinct b.id, b.blocker_id, newer.id
  from blocks b
  join users blocked on blocked.id = b.blocked_id
  join users blocker on blocker.id = b.blocker_id
  join known_devices theirs on theirs.account_id = blocked.account_id
  join known_devices device on device.device_hash = theirs.device_hash and device.account_id <> blocked.account_id
  join users newer on newer.account_id = device.account_id
  where b.newer_accounts and newer.id <> b.blocker_id and newer.created_at > b.created_at - interval '7 days'
    and not exists (select from known_devices own
      where own.device_hash = device.device_hash and own.account_id = blocker.account_id)
    and not exists (select from blocks back where back.blocker_id = b.blocked_id and back.blocked_id = b.blocker_id)
$$;

-- Takes back what the other's block hides from the blocker beyond the two themselves.
create function release_newer_accounts() returns trigger language plpgsql as $$
begin
  delete from block_pairs p using blocks b
  where b.blocker_id = new.blocked_id and b.blocked_id = new.blocker_id and p.block_id = b.id
    and new.blocker_id not in (p.member_id, p.other_id);
  return null;
end $$;
-- After the trigger that begins the block, by its name.
create trigger blocks_release after insert on blocks for each row execute function release_newer_accounts();

delete from block_pairs p using blocks b, blocks back
where p.block_id = b.id and back.blocker_id = b.blocked_id and back.blocked_id = b.blocker_id
  and b.blocked_id not in (p.member_id, p.other_id);

create or replace function end_follow_of_pair() returns trigger language plpgsql as $$
begin
  delete from follows where follower_id = new.member_id and following_id = new.other_id;
  perform from block_pairs p
  where p.member_id = new.member_id and p.other_id = new.other_id and p.block_id <> new.block_id
    and not exists (select from blocks own where own.id = new.block_id and own.blocker_id = new.member_id);
  if found then return null; end if;
  insert into changes (collection, kind, row_id, public_id, member_ids, state)
  select 'users', 'delete', u.id, u.public_id, array[new.member_id],
    jsonb_build_object('id', u.id, 'public_id', u.public_id, 'created_at', u.created_at)
  from users u where u.id = new.other_id and not exists (
    select from blocks b where b.id = new.block_id and b.blocker_id = new.member_id and b.blocked_id <> new.other_id
  );
  return null;
end $$;
