/** The list rule applies to every row of a source, so a source that is too wide leaks nothing. */
import { type RawBuilder, sql } from 'kysely'
import {
  memberKeyParameter,
  selectFollowedMemberKeys,
  selectJoinedGroupKeys,
  whereMayListPost,
} from '../../policy/index.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import type { PostListRow } from './post-list-routes.ts'

export type PostTopic = {
  kind: 'tag' | 'place'
  /** The text as `topic_key` normalises it. */
  key: RawBuilder<string>
}

type TopicPostOptions = {
  limit: number
  after?: { at: Date; id: number } | null
  /** The condition may use the post `p` and its topic row `t`. */
  condition?: RawBuilder<unknown>
  /**
   * The index skips other members' posts after this time, but not the caller's.
   * A `condition` instead would read all recent posts of a busy place.
   */
  othersUntil?: RawBuilder<Date> | null
}

export function selectTopicPosts(
  me: number,
  { kind, key }: PostTopic,
  { limit, after = null, condition = sql`true`, othersUntil = null }: TopicPostOptions,
): RawBuilder<unknown> {
  const meParam = memberKeyParameter(me)
  const anyTime = sql`true`
  const isEarly = othersUntil ? sql`t.created_at <= ${othersUntil}` : anyTime
  const newest = (source: RawBuilder<unknown>, time = isEarly) => sql`
    select t.post_id as id, t.created_at from post_topics t join posts p on p.id = t.post_id
    where t.kind = ${sql.lit(kind)} and t.topic = ${key} and ${source} and ${time}
      ${after ? sql`and (t.created_at, t.post_id) < (${after.at}, ${after.id})` : sql``}
      and ${whereMayListPost(meParam, 'p')} and ${whereNotMuted(me, sql.ref('p.creator_id'))} and ${condition}
    order by t.created_at desc, t.post_id desc limit ${limit}`
  const ofEach = (owners: RawBuilder<unknown>, source: RawBuilder<unknown>) => sql`
    select found.id, found.created_at from ${owners} as owner, lateral (${newest(source)}) found
    order by found.created_at desc, found.id desc limit ${limit}`
  const authors = sql`(select ${meParam} as id union all select followed.id from ${selectFollowedMemberKeys(meParam)} as followed)`
  return sql`select found.id, found.created_at from (
      (${newest(sql`t.group_id is null and not t.followers_only`)})
      union (${ofEach(authors, sql`t.followers_only and t.creator_id = owner.id`)})
      union (${ofEach(selectJoinedGroupKeys(meParam), sql`t.group_id is not null and t.group_id = owner.id`)})
      union (${newest(sql`t.group_id is not null and t.creator_id = ${meParam}`)})
      ${othersUntil ? sql`union (${newest(sql`p.creator_id = ${meParam} and p.created_at > ${othersUntil}`, anyTime)})` : sql``}
    ) found
    order by found.created_at desc, found.id desc limit ${limit}`
}

/** `written` is the spelling of the topic in the post. */
export type TopicPostRow = PostListRow & { written: string | null }

/** Among equally common spellings, the newest wins. Null without rows. */
export function findMostCommonSpelling(rows: readonly TopicPostRow[]): string | null {
  const counts = new Map<string, number>()
  for (const { written } of rows) if (written !== null) counts.set(written, (counts.get(written) ?? 0) + 1)
  return (
    [...counts].reduce<[string, number] | null>(
      (most, one) => (most && most[1] >= one[1] ? most : one),
      null,
    )?.[0] ?? null
  )
}
