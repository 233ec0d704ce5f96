-- What posts are found by beside their authors: each of their tags, and their place. A list of one topic has three sources, each with its
-- index: posts for everybody, those for followers by author, and those of groups by group. To filter one walk by the policy instead
-- reads every newer post of groups the reader is not in.

-- A topic as it is compared: without case, accents and doubled blanks. Folding may lengthen a text; the bound is the column's.
create function topic_key(text) returns text language sql immutable parallel safe
return left(btrim(regexp_replace(fold($1), '\s+', ' ', 'g')), 200);

create table post_topics (
  post_id bigint not null references posts on delete cascade,
  kind text not null constraint post_topics_kind check (kind in ('tag', 'place')),
  topic text collate "C" not null constraint post_topics_topic_length check (char_length(topic) between 1 and 200),
  -- As the post has them, for the indexes.
  creator_id bigint not null,
  group_id bigint,
  followers_only boolean not null,
  created_at timestamptz(3) not null,
  primary key (post_id, kind, topic)
);

-- The topics of a post with these tags and this place.
create function topics_of(tags text[], location text) returns table (kind text, topic text) language sql immutable as $$
  select found.kind, found.topic from (
    select distinct 'tag' as kind, topic_key(tag) as topic from unnest($1) as tag
    union all select 'place', topic_key($2)
  ) found where found.topic <> ''
$$;
insert into post_topics (post_id, kind, topic, creator_id, group_id, followers_only, created_at)
  select p.id, found.kind, found.topic, p.creator_id, p.group_id, p.followers_only, p.created_at
  from posts p cross join lateral topics_of(p.tags, p.location) as found;

create index post_topics_public on post_topics (kind, topic, created_at desc, post_id desc)
  where group_id is null and not followers_only;
create index post_topics_for_followers on post_topics (kind, topic, creator_id, created_at desc, post_id desc) where followers_only;
create index post_topics_of_groups on post_topics (kind, topic, group_id, created_at desc, post_id desc) where group_id is not null;
-- Who left a group goes on reading what she posted there.
create index post_topics_own_in_groups on post_topics (kind, topic, creator_id, created_at desc, post_id desc)
  where group_id is not null;
analyze post_topics;

create function keep_post_topics() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then delete from post_topics where post_id = new.id; end if;
  insert into post_topics (post_id, kind, topic, creator_id, group_id, followers_only, created_at)
    select new.id, found.kind, found.topic, new.creator_id, new.group_id, new.followers_only, new.created_at
    from topics_of(new.tags, new.location) as found;
  return null;
end $$;
create trigger posts_topics_new after insert on posts for each row execute function keep_post_topics();
create trigger posts_topics_changed after update of tags, location on posts for each row
  when ((old.tags, old.location) is distinct from (new.tags, new.location)) execute function keep_post_topics();

create function move_post_topics() returns trigger language plpgsql as $$
begin
  update post_topics set group_id = new.group_id, followers_only = new.followers_only, created_at = new.created_at
  where post_id = new.id;
  return null;
end $$;
create trigger posts_topics_moved after update of group_id, followers_only, created_at on posts for each row
  when ((old.group_id, old.followers_only, old.created_at) is distinct from (new.group_id, new.followers_only, new.created_at))
  execute function move_post_topics();
