-- The transactional outbox of live updates: what changed, and who may be told.

-- `xid` is the transaction that wrote the row. Ids do not commit in order, so a node that was away reads on from the oldest
-- transaction it may have missed.
create table changes (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  collection text collate "C" not null,
  kind text not null constraint changes_kind check (kind in ('create', 'update', 'delete')),
  row_id bigint not null,
  public_id public_id not null,
  -- Candidates for the update: these members, or the members of this group, or everyone when both are null.
  member_ids bigint[],
  group_id bigint,
  -- The last state of a deleted row, which cannot be read any more when its readers are told; of an account the attribute.
  state jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Of a change of an account or a session: the account whose sockets it concerns, which has no other candidates.
  account_id bigint,
  constraint changes_one_audience check (account_id is null or num_nonnulls(member_ids, group_id) = 0)
);
create index changes_by_xid on changes (xid, id);
create index changes_by_time on changes (created_at);
-- Catching up reads what the member missed: their own, their groups' and everyone's. Without `fastupdate` no reader has to
-- search a list of pending entries first.
create index changes_by_member on changes using gin (member_ids) with (fastupdate = off);
create index changes_by_group on changes (group_id, xid) where group_id is not null;
-- By collection, so that catching up with messages alone does not read past every post.
create index changes_for_everyone on changes (collection, xid, id)
  where num_nonnulls(member_ids, group_id, account_id) = 0;

-- Records that a session began or ended, whichever way: its end closes its sockets on every node.
create function record_session() returns trigger language plpgsql as $$
declare
  session sessions := coalesce(new, old);
begin
  insert into changes (collection, kind, row_id, public_id, account_id)
  values ('sessions', case tg_op when 'INSERT' then 'create' else 'delete' end,
          session.id, session.public_id, session.account_id);
  return null;
end $$;
create trigger sessions_change after insert or delete on sessions for each row execute function record_session();

-- Records which attribute of an account changed, without its value: that is read when subscribers are told.
create function record_account() returns trigger language plpgsql as $$
declare
  attribute text := case
    when new.status is distinct from old.status then 'status'
    when new.password_hash is distinct from old.password_hash then 'password'
    when new.email is distinct from old.email then 'email'
    when new.phone is distinct from old.phone then 'phone'
    when new.name is distinct from old.name then 'name'
    when new.prefs is distinct from old.prefs then 'prefs'
    when new.email_verified is distinct from old.email_verified then 'verification'
    when new.phone_verified is distinct from old.phone_verified then 'verification'
  end;
begin
  if attribute is not null then
    insert into changes (collection, kind, row_id, public_id, account_id, state)
    values ('accounts', 'update', new.id, new.public_id, new.id, jsonb_build_object('attribute', attribute));
  end if;
  return null;
end $$;
create trigger accounts_change
  after update of status, password_hash, email, phone, name, prefs, email_verified, phone_verified on accounts
  for each row execute function record_account();
