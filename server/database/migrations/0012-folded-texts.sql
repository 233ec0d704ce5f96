-- Texts as they are compared, stored beside the text: folding a caption takes up to 300 µs, and a filter that no index answers
-- would fold every row's. Generated, so that a restore and a load by COPY fill them too.

-- Tags as one text. PostgreSQL calls `array_to_string` stable, because it may print any type; of texts it is immutable.
create function fold(text[]) returns text
language sql immutable parallel safe
as $$ select fold(array_to_string($1, ' ')) $$;

alter table posts
  add caption_folded text not null generated always as (fold(caption)) stored,
  add location_folded text not null generated always as (fold(location)) stored,
  add tags_folded text not null generated always as (fold(tags)) stored;
alter table users
  add name_folded text not null generated always as (fold(name)) stored,
  add username_folded text not null generated always as (fold(username)) stored,
  add bio_folded text not null generated always as (fold(bio)) stored;
alter table groups
  add name_folded text not null generated always as (fold(name)) stored,
  add description_folded text not null generated always as (fold(description)) stored;
-- A member's own alone are compared, found by their conversation and their owner: no index.
alter table messages add content_folded text not null generated always as (fold(content)) stored;
alter table files add name_folded text not null generated always as (fold(name)) stored;

-- Trigrams answer a substring of three letters, a beginning, an end and a whole text. The day stands in front for the newest
-- posts, as before; each column of such an index is searched by itself or with others.
drop index posts_by_day_and_caption, users_by_name, users_by_folded_username, users_by_folded_name, groups_by_words;
create index posts_by_day_and_text on posts using gin (
  ((created_at at time zone 'UTC')::date),
  caption_folded gin_trgm_ops, location_folded gin_trgm_ops, tags_folded gin_trgm_ops
);
-- Name and username together tell the planner how few rows match both.
create index users_by_text on users using gin (
  name_folded gin_trgm_ops, username_folded gin_trgm_ops, bio_folded gin_trgm_ops,
  (name_folded || ' ' || username_folded) gin_trgm_ops
);
create index groups_by_text on groups using gin (
  name_folded gin_trgm_ops, description_folded gin_trgm_ops, (name_folded || ' ' || description_folded) gin_trgm_ops
);
analyze posts, users, groups;
