-- Browsers that have signed in to an account with its password: their wrong guesses are counted apart from a stranger's,
-- who could otherwise lock a member out. The browser keeps the name; only its SHA-256 is known here.
create table known_devices (
  device_hash bytea not null constraint known_devices_device_length check (octet_length(device_hash) = 32),
  account_id bigint not null references accounts on delete cascade,
  seen_at timestamptz(3) not null default clock_timestamp(),
  primary key (device_hash, account_id)
);
create index known_devices_by_account on known_devices (account_id);
create index known_devices_by_time on known_devices (seen_at);
