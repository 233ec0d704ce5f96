-- Mentions: whom a caption or a comment names, of those who can see the post.

-- Selects the members whom a text names after an @, ten at most. Usernames may end as sentences do, in a full stop: of what can be read
-- as a name the longest that is somebody's counts.
create function mentioned_members(text text) returns table (id bigint) language sql stable rows 2 as $$
  select distinct longest.id from (
    select lower(found[1]) as name
    from regexp_matches($1, '(?:^|[^[:alnum:]._@-])@([^[:space:]@,;:!?()"]{2,40})', 'g') as found limit 10
  ) named cross join lateral (
    select u.id from generate_series(char_length(rtrim(named.name, '.-_…')), char_length(named.name)) as read (length)
    join users u on u.username_key = left(named.name, read.length)
    order by read.length desc limit 1
  ) longest
$$;

create table mentions (
  user_id bigint not null references users on delete cascade,
  post_id bigint not null references posts on delete cascade,
  -- Null in a caption.
  comment_id bigint references comments on delete cascade,
  constraint mentions_once unique nulls not distinct (post_id, comment_id, user_id)
);
create index mentions_of on mentions (user_id, post_id desc);
create index mentions_in_comment on mentions (comment_id) where comment_id is not null;

-- Words, likes and mentions of a comment that is removed go.
create or replace function empty_comment() returns trigger language plpgsql as $$
begin
  delete from comment_likes where comment_id = new.id;
  delete from mentions where comment_id = new.id;
  update posts set comment_count = comment_count - 1 where id = new.post_id;
  return null;
end $$;

alter table notifications add column comment_id bigint references comments on delete cascade;
create index notifications_of_comment on notifications (comment_id) where comment_id is not null;
-- Who was told of a caption is named by it.
insert into mentions (user_id, post_id) select user_id, post_id from notifications
  where kind = 'mention' and post_id is not null on conflict do nothing;
