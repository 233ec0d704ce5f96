-- What a post said before it was edited, for its author alone, and when what others see of it last changed.
alter table posts add column edited_at timestamptz(3);

create table post_edits (
  id bigint generated always as identity primary key,
  post_id bigint not null references posts on delete cascade,
  caption text not null constraint post_edits_caption_length check (char_length(caption) <= 2200),
  location text not null constraint post_edits_location_length check (char_length(location) <= 1000),
  tags text[] not null constraint post_edits_tags check (cardinality(tags) <= 30 and char_length(array_to_string(tags, '')) <= 1500),
  -- The text stood until then.
  until timestamptz(3) not null default clock_timestamp()
);
create index post_edits_of_post on post_edits (post_id, id desc);

-- The first minutes are for typing errors: what changes in them leaves no mark.
create function mark_edited() returns trigger language plpgsql as $$
begin
  if clock_timestamp() > old.created_at + interval '5 minutes' then new.edited_at := clock_timestamp(); end if;
  return new;
end $$;
-- Which photos are shown, and in which order, is written with the cover, also where that stays (see post-photos.ts).
create trigger posts_photos_edited before update of image_id on posts for each row execute function mark_edited();
create trigger posts_text_edited before update of caption, location, tags on posts for each row
  when ((old.caption, old.location, old.tags) is distinct from (new.caption, new.location, new.tags))
  execute function mark_edited();

-- Keeps the newest fifty.
create function keep_post_edit() returns trigger language plpgsql as $$
begin
  insert into post_edits (post_id, caption, location, tags) values (old.id, old.caption, old.location, old.tags);
  delete from post_edits where post_id = old.id and id <= (
    select id from post_edits where post_id = old.id order by id desc offset 50 limit 1);
  return null;
end $$;
create trigger posts_keep_edit after update of caption, location, tags on posts for each row
  when ((old.caption, old.location, old.tags) is distinct from (new.caption, new.location, new.tags))
  execute function keep_post_edit();
