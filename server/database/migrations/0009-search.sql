-- Substring search over folded text. pg_trgm and btree_gin are trusted extensions, so the database's owner may create them.
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Folds case and accents away; immutable, so that indexes can be built on it. Plain ASCII skips the normalisation, which takes
-- most of the 14 µs of a caption of 100 letters. Not `strict`, because PostgreSQL does not inline a `case` into a query from
-- a strict function; null stays null all the same.
create function fold(text) returns text
language sql immutable parallel safe
as $$ select case when octet_length($1) = char_length($1) then lower($1)
  else regexp_replace(normalize(lower($1), NFKD), '[\u0300-\u036f]', '', 'g') end $$;

-- A search shows the newest twenty. With the day as its first column the index answers for the last days alone, whose lists
-- are short, and for all days just as well.
create index posts_by_day_and_caption on posts
  using gin (((created_at at time zone 'UTC')::date), fold(caption) gin_trgm_ops);

-- Names and usernames are compared and searched one by one. The index on both together tells the planner how few rows match
-- both, without which it would read the whole table.
create index users_by_name on users using gin (fold(name || ' ' || username) gin_trgm_ops);
create index users_by_folded_username on users using gin (fold(username) gin_trgm_ops);
create index users_by_folded_name on users using gin (fold(name) gin_trgm_ops);

create index groups_by_words on groups using gin (fold(name || ' ' || description) gin_trgm_ops);
