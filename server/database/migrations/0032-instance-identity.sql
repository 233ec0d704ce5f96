-- How the community looks, and one announcement that every member reads once.
alter table community
  -- Names a hue of the web; null is the product's own.
  add column accent text constraint community_accent check (accent ~ '^[a-z]{2,20}$'),
  add column announcement text not null default '' constraint community_announcement check (char_length(announcement) <= 500),
  -- Incremented with each new text.
  add column announcement_version int not null default 0 constraint community_announcement_version check (announcement_version >= 0),
  add column announced_at timestamptz(3);
alter table accounts add column announcement_seen int not null default 0
  constraint accounts_announcement_seen check (announcement_seen >= 0);

-- Square PNG images, made from an upload. They stay when the account that chose them is erased (decision 0227).
create table community_logo (
  only_row boolean primary key default true constraint community_logo_only_row check (only_row),
  -- Of both images: part of their address.
  version text not null constraint community_logo_version check (version ~ '^[0-9a-f]{16}$'),
  small bytea not null constraint community_logo_small check (octet_length(small) between 1 and 262144),
  large bytea not null constraint community_logo_large check (octet_length(large) between 1 and 1572864)
);

-- Delivered emails by day (UTC), of which nothing else is kept.
create table email_days (
  day date primary key,
  sent int not null constraint email_days_sent check (sent >= 0)
);
