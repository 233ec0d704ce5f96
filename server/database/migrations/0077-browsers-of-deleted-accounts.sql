-- A deleted account ties no newer account to anybody's block. Its own blocks go with it, and where both had blocked each other, so that
-- neither block held for newer accounts (0017), the other's alone would begin to and lead its owner to somebody who fled under a new name.
-- Who is kept apart already stays so: whoever came into sight at the moment of a deletion would be named by it.

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
    and not exists (select from accounts gone where gone.id = blocked.account_id and gone.erased_at is not null)
$$;

-- Of accounts that are erased, or are being erased beyond the step that would do it.
delete from known_devices d where exists (select from accounts a where a.id = d.account_id and a.erased_at is not null)
  or exists (select from deletions e where e.account_id = d.account_id and e.state = 'erasing');
