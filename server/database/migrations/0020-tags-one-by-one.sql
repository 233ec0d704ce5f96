-- Tags found one by one: a search for a whole tag knows from the statistics of the array how common the tag is, and walks down the
-- newest posts for a common one. The text of all tags told nothing of that, so every post with the tag was read.

-- Each tag as it is compared. The body is bound to `fold` when it is created, because an index is built and analysed with an empty
-- search path.
create function fold_each(given text[]) returns text[]
language sql immutable parallel safe
return (select coalesce(array_agg(fold(tag)), '{}') from unnest(given) as tag);

-- With the day in front, as the index of texts has it.
create index posts_by_day_and_tag on posts using gin (((created_at at time zone 'UTC')::date), fold_each(tags));
analyze posts;
