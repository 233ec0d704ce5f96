-- Emails wait here until the mail server took them. Recipient and text are sealed with the instance's key.

create table emails (
  id bigint generated always as identity primary key,
  kind text not null constraint emails_kind_length check (octet_length(kind) <= 64),
  sealed bytea not null constraint emails_sealed_length check (octet_length(sealed) <= 262144),
  -- Keeps emails to one address in order.
  recipient_hash bytea not null constraint emails_recipient_hash_length check (octet_length(recipient_hash) = 32),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  next_attempt_at timestamptz(3) not null default clock_timestamp(),
  attempts integer not null default 0,
  last_error text constraint emails_last_error_length check (octet_length(last_error) <= 200),
  failed_at timestamptz(3)
);
create index emails_waiting on emails (next_attempt_at) where failed_at is null;
create index emails_in_order on emails (recipient_hash, id) where failed_at is null;

-- The email that asks; while it waits, the 72 hours have not begun.
alter table unlock_requests add column email_id bigint;
