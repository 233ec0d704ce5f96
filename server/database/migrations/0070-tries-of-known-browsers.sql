-- Wrong second steps in a browser that the account knows, and in sessions that are whole, are counted apart from those of strangers,
-- who would use up the owner's tries.
alter table totp_secrets
  add column own_tries int not null default 0,
  add column own_tries_since timestamptz(3) not null default clock_timestamp();
