-- When whoever holds the session last proved to be the account's owner: by signing in, or by the password. Null is not known,
-- for sessions that are older than this column.
alter table sessions add column proved_at timestamptz(3);
alter table sessions alter column proved_at set default clock_timestamp();
