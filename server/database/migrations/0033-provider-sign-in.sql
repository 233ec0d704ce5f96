-- A sign-in through a provider that the web began carries the invitation it was begun with. One that connects a provider belongs to the
-- account that began it.
alter table oauth_attempts
  add column invite_hash bytea constraint oauth_attempts_invite_length check (octet_length(invite_hash) = 32),
  add column account_id bigint references accounts on delete cascade,
  drop constraint oauth_attempts_wanted,
  add constraint oauth_attempts_wanted check (wanted in ('session', 'token', 'web', 'connection'));
alter table oauth_attempts
  add constraint oauth_attempts_account check ((wanted = 'connection') = (account_id is not null));
create index oauth_attempts_by_account on oauth_attempts (account_id);
