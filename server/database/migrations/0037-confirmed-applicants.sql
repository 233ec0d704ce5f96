-- Anybody can apply with any address. An unconfirmed application reaches nobody: everything that reads applications
-- selects those that wait.
alter table applications
  drop constraint applications_state,
  drop constraint applications_decided,
  add constraint applications_state check (state in ('unconfirmed', 'waiting', 'approved', 'declined')),
  add constraint applications_decided check ((state in ('unconfirmed', 'waiting')) = (decided_at is null)),
  -- When the link in the email was opened. Null if the server cannot send email.
  add column email_confirmed_at timestamptz(3),
  add constraint applications_unconfirmed check (state <> 'unconfirmed' or (email_confirmed_at is null and voucher_id is null and vouched is null));
create index applications_unconfirmed_at on applications (created_at) where state = 'unconfirmed';

-- The link that confirms an application. `asked_as` is the application's public id.
alter table tokens drop constraint tokens_kind;
alter table tokens add constraint tokens_kind check (kind in
  ('recovery', 'verification', 'phone-verification', 'magic-url', 'phone', 'email', 'email-change', 'email-undo', 'oauth', 'application'));

-- An application becomes visible when its address is confirmed, and leaves no record before.
create or replace function record_application() returns trigger language plpgsql as $$
begin
  if coalesce(new.state, old.state) = 'unconfirmed' then
    return null;
  end if;
  insert into changes (collection, kind, row_id, public_id, member_ids)
  values ('applications', case when tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.state = 'unconfirmed') then 'create' else 'update' end,
    coalesce(new.id, old.id), coalesce(new.public_id, old.public_id), '{}');
  return null;
end $$;
drop trigger applications_changed on applications;
create trigger applications_changed after update of state, vouched, voucher_id on applications for each row
  when (new.state <> old.state or new.vouched is distinct from old.vouched or new.voucher_id is distinct from old.voucher_id)
  execute function record_application();

create or replace function hold_applied_emails() returns trigger language plpgsql as $$
begin
  if new.email_verified then
    delete from applications p where p.state in ('unconfirmed', 'waiting') and p.email = new.email;
  end if;
  return null;
end $$;

-- Whether the member is asked about applicants who name them.
alter table users add column takes_vouch_requests boolean not null default true;
