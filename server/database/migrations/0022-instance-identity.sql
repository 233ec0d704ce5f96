-- What tells this instance from another one on the same Redis, and the key that seals positions in the outbox for clients.
alter table instance add column id uuid not null default gen_random_uuid(),
  add column position_key bytea constraint instance_position_key_length check (octet_length(position_key) = 32);
