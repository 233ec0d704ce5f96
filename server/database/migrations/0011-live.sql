-- Live updates: what happens to accounts and sessions, and how one member finds what she missed.

-- Whose sockets a change of an account or a session concerns; it has no other candidates.
alter table changes
  add column account_id bigint,
  add constraint changes_one_audience check (account_id is null or num_nonnulls(member_ids, group_id) = 0);

-- What one member missed is hers, her groups' or everyone's.
create index changes_by_member on changes using gin (member_ids);
create index changes_by_group on changes (group_id, xid) where group_id is not null;
create index changes_for_everyone on changes (xid, id) where num_nonnulls(member_ids, group_id, account_id) = 0;

-- A session that ends closes its sockets on every node, whichever way it ended (security reference R03).
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

-- Which attribute changed is all that is kept; its value is read when it is told.
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
