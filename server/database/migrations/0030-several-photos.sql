-- Several photos in a post, each with a description. The first stays in posts.image_id, so that a post of one photo is one row.
alter table posts
  add column image_alt text not null default '' constraint posts_image_alt_length check (char_length(image_alt) <= 1000),
  add column photo_count smallint not null default 1 constraint posts_photo_count check (photo_count between 1 and 10);

-- The second photo to the tenth, in the order in which the author put them.
create table post_photos (
  post_id bigint not null references posts on delete cascade,
  position smallint not null constraint post_photos_position check (position between 1 and 9),
  file_id bigint not null constraint post_photos_file unique references files,
  alt text not null default '' constraint post_photos_alt_length check (char_length(alt) <= 1000),
  primary key (post_id, position)
);

create function count_photos() returns trigger language plpgsql as $$
begin
  update posts set photo_count = photo_count + case tg_op when 'INSERT' then photos.number else -photos.number end
  from (select post_id, count(*) as number from changed group by post_id) photos where posts.id = photos.post_id;
  return null;
end $$;
create trigger post_photos_count_new after insert on post_photos
  referencing new table as changed for each statement execute function count_photos();
create trigger post_photos_count_gone after delete on post_photos
  referencing old table as changed for each statement execute function count_photos();

-- A node of the version before deletes a post by its cover alone: its other files are left to the cleanup, too.
create function release_photo() returns trigger language plpgsql as $$
begin
  update files set state = 'deleting' where id = old.file_id and state = 'attached'
    and not exists (select from posts where id = old.post_id);
  return null;
end $$;
create constraint trigger post_photos_release after delete on post_photos
  deferrable initially deferred for each row execute function release_photo();
