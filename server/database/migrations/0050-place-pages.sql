-- Pages of places: a post is on the page of its place a day after the place was said, and those of who keeps hers off never are.

alter table users add column on_place_pages boolean not null default true;

-- Since when the post has the topic. A place that is said later is no older for its post.
alter table post_topics add column since timestamptz(3);
update post_topics set since = created_at;
alter table post_topics alter column since set not null;
-- For suggestions, from one place to the next.
create index post_topics_places on post_topics (topic) where kind = 'place';

-- As before (0048), but what stays keeps its time.
create or replace function keep_post_topics() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from post_topics t where t.post_id = new.id
      and not exists (select from topics_of(new.tags, new.location) f where f.kind = t.kind and f.topic = t.topic);
  end if;
  insert into post_topics (post_id, kind, topic, creator_id, group_id, followers_only, created_at, since)
    select new.id, found.kind, found.topic, new.creator_id, new.group_id, new.followers_only, new.created_at,
      case tg_op when 'INSERT' then new.created_at else greatest(clock_timestamp(), new.created_at) end
    from topics_of(new.tags, new.location) as found
  on conflict do nothing;
  return null;
end $$;
create or replace function move_post_topics() returns trigger language plpgsql as $$
begin
  update post_topics set group_id = new.group_id, followers_only = new.followers_only, created_at = new.created_at,
    since = since + (new.created_at - old.created_at)
  where post_id = new.id;
  return null;
end $$;
