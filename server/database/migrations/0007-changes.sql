-- The transactional outbox of live updates: what changed and who may be told (architecture §14.1–4). A node that was away
-- reads on from the oldest transaction it may have missed; ids alone do not commit in order.
create table changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  collection text collate "C" not null,
  kind text not null constraint changes_kind check (kind in ('create', 'update', 'delete')),
  row_id bigint not null,
  public_id public_id not null,
  -- Candidates: these members, the members of this group, or everyone when both are null.
  member_ids bigint[],
  group_id bigint,
  -- The last state, for deletes only: the row is gone when its readers are told.
  state jsonb,
  created_at timestamptz(3) not null default clock_timestamp()
);
create index changes_by_xid on changes (xid, id);
create index changes_by_time on changes (created_at);
