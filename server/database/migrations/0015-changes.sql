-- The outbox. `xid` is the transaction that wrote the row. Ids do not commit in order, so a node that was away
-- continues from the oldest transaction that it may have missed.
create table changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  collection text collate "C" not null,
  kind text not null constraint changes_kind check (kind in ('create', 'update', 'delete')),
  row_id bigint not null,
  public_id public_id not null,
  -- Candidates for the update: these members, or this group's members, or everyone if both are null.
  member_ids bigint[],
  group_id bigint,
  -- The last state of a deleted row, which cannot be read again, or the changed attribute of an account.
  state jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The account whose sockets receive a change of an account or a session.
  account_id bigint,
  constraint changes_one_audience check (account_id is null or num_nonnulls(member_ids, group_id) = 0)
);
create index changes_by_xid on changes (xid, id);
create index changes_by_time on changes (created_at);
-- Catching up reads the changes of the member, her groups and everyone. `fastupdate` is off, so that readers need not
-- search pending entries first.
create index changes_by_member on changes using gin (member_ids) with (fastupdate = off);
create index changes_by_group on changes (group_id, xid) where group_id is not null;
-- By collection, so that catching up with messages does not read every post.
create index changes_for_everyone on changes (collection, xid, id)
  where num_nonnulls(member_ids, group_id, account_id) = 0;
