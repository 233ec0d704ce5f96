-- When the mailbox of an account last answered, and since when the account has its phone: what was added since the mailbox
-- answered does not outlive a new password. Null is not known, for what is older than these columns.
alter table accounts
  add column email_proven_at timestamptz(3),
  add column phone_set_at timestamptz(3);

create function note_phone() returns trigger language plpgsql as $$
begin
  new.phone_set_at := case when new.phone is not null then clock_timestamp() end;
  return new;
end $$;
create trigger accounts_phone_new before insert on accounts for each row
  when (new.phone is not null) execute function note_phone();
create trigger accounts_phone_changed before update of phone on accounts for each row
  when (new.phone is distinct from old.phone) execute function note_phone();

-- The link to a new mailbox, which replaces a proven one when it comes back.
alter table tokens drop constraint tokens_kind;
alter table tokens add constraint tokens_kind check (kind in
  ('recovery', 'verification', 'phone-verification', 'magic-url', 'phone', 'email', 'email-change', 'email-undo', 'oauth'));
