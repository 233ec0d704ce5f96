-- A search shows the newest twenty: with the day as the first column the index answers for the last days alone, whose lists
-- are short, and for all days as the one it replaces. btree_gin is a trusted extension, as pg_trgm is.
create extension if not exists btree_gin;
create index posts_by_day_and_caption on posts
  using gin (((created_at at time zone 'UTC')::date), fold(caption) gin_trgm_ops);
drop index posts_by_caption;
-- Names and usernames are searched by the indexes of each.
drop index users_by_name;
