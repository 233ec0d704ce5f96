-- Posts that members reacted to within a week, in numbered rankings: the same for all readers, who see of them what the policy lets them.

create table trending_rankings (
  id bigint generated always as identity primary key,
  ranked_at timestamptz(3) not null default clock_timestamp()
);

-- A ranking lasts minutes. A post that is deleted meanwhile keeps its place in it, for the cursors that stand there.
create table trending_posts (
  ranking_id bigint not null references trending_rankings on delete cascade,
  post_id bigint not null,
  score real not null,
  -- As the post had them, for the indexes.
  creator_id bigint not null,
  group_id bigint,
  followers_only boolean not null,
  primary key (ranking_id, post_id)
);
-- One for each source of what a reader may see at all: posts for everybody, those for followers by author, those of groups by group.
create index trending_posts_public on trending_posts (ranking_id, score desc, post_id desc)
  where group_id is null and not followers_only;
create index trending_posts_for_followers on trending_posts (ranking_id, creator_id, score desc, post_id desc) where followers_only;
create index trending_posts_of_groups on trending_posts (ranking_id, group_id, score desc, post_id desc) where group_id is not null;

-- What was liked and said within the week, without an index that every like would pay for: rows are written in the order of their time.
create index post_likes_by_time on post_likes using brin (created_at) with (pages_per_range = 16);
create index comments_by_time on comments using brin (created_at) with (pages_per_range = 16);
