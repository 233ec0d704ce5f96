import { queryBenchDatabase } from './bench-databases.ts'
import type { DatasetSize } from './generate-dataset.ts'

/** Posts move to the last 60 days, likes to before the last week. */
export async function redatePostsToLastDays(url: string): Promise<void> {
  await queryBenchDatabase(
    url,
    `do $$ begin
      alter table posts disable trigger user; alter table post_likes disable trigger user;
      update posts set created_at = made.at, updated_at = made.at
        from (select id, now() - (power(random(), 1.5) * interval '60 days') as at from posts) made where made.id = posts.id;
      update post_likes set created_at = now() - interval '8 days' - random() * interval '300 days';
      alter table posts enable trigger user; alter table post_likes enable trigger user;
    end $$`,
  )
}

/** Acts mostly on new and popular posts. 120,000 posts get 210,000 likes and 60,000 comments. */
export async function addWeekOfLikesAndComments(url: string, { members, posts }: DatasetSize): Promise<void> {
  const likes = Math.round(posts * 1.75)
  const comments = Math.round(posts * 0.5)
  const young = Math.round((posts * 5) / 12)
  await queryBenchDatabase(
    url,
    `do $$ begin
      alter table post_likes disable trigger user; alter table comments disable trigger user;
      create temporary table young on commit drop as
        select row_number() over (order by created_at desc) as place, id from posts;
      insert into post_likes (post_id, user_id, created_at)
        select y.id, made.member, made.at from (
          select 1 + floor(power(random(), 2) * ${young})::int as place, 1 + floor(random() * ${members})::int as member,
            now() - (1 - n / ${likes}.0) * interval '7 days' as at
          from generate_series(1, ${likes}) as n
        ) made join young y on y.place = made.place order by made.at on conflict do nothing;
      insert into comments (public_id, post_id, author_id, content, created_at)
        select 'cmt' || made.n, y.id, made.member, 'Qué bonito', made.at from (
          select n, 1 + floor(power(random(), 2) * ${young})::int as place, 1 + floor(random() * ${members})::int as member,
            now() - (1 - n / ${comments}.0) * interval '7 days' as at
          from generate_series(1, ${comments}) as n
        ) made join young y on y.place = made.place order by made.at;
      alter table post_likes enable trigger user; alter table comments enable trigger user;
    end $$`,
  )
  await queryBenchDatabase(url, 'vacuum analyze')
}
