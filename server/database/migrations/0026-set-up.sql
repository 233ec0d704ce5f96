-- The printed links of the set-up stay valid until it is done, whoever signs up meanwhile. An instance with accounts is in use: its set-up
-- is done.
alter table community
  add column set_up_at timestamptz(3),
  -- Of the links that the last starts printed.
  add column setup_hashes bytea[] not null default '{}' constraint community_setup_hashes check (
    cardinality(setup_hashes) <= 20 and array_position(setup_hashes, null) is null);

insert into community (set_up_at) select clock_timestamp() where exists (select from accounts)
on conflict (only_row) do update set set_up_at = excluded.set_up_at, setup_hash = null;
