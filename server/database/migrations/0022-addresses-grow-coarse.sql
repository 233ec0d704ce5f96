-- Whole addresses of the network are cut after a week (server/sweeps.ts): of a year of events the sweep finds that week's.
create index account_events_whole_address on account_events (created_at) where masklen(ip) in (32, 128);
