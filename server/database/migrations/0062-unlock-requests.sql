-- Requests of the operator's that two steps end for a member who has lost both. They wait for days, and the letter's link stops them.

create table unlock_requests (
  account_id bigint primary key references accounts on delete cascade,
  asked_at timestamptz(3) not null default clock_timestamp(),
  due_at timestamptz(3) not null,
  -- Of the secret in the letter, by which the request is stopped.
  cancel_hash bytea not null constraint unlock_requests_cancel_hash unique
    constraint unlock_requests_cancel_hash_length check (octet_length(cancel_hash) = 32),
  constraint unlock_requests_wait check (due_at > asked_at)
);
create index unlock_requests_due on unlock_requests (due_at);
