/**
 * Selects posts by topic, a tag or a place, newest first. Three sources lead to what the caller can read at all, each by its index:
 * posts for everybody, those for followers by whom the caller follows, those of the caller's groups; and what the caller posted in
 * groups. Each source holds the rule of listing for every row, so that a source may lead too far and never tells too much.
 */
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
  /** The topic as `topic_key` makes it. */
  key: RawBuilder<string>
}

type TopicPostOptions = {
  limit: number
  /** The list goes on behind this post. */
  after?: { at: Date; id: number } | null
  /** A further condition over `p`, the post, and `t`, its row of the topic. */
  condition?: RawBuilder<unknown>
  /**
   * Lists nothing of others that is newer, without reading it: a condition alone would walk over every newer post of a lively place.
   * What the caller posted since is listed too.
   */
  othersUntil?: RawBuilder<Date> | null
}

/** Selects `id` and `created_at` of the newest posts of a topic that `me` may find in a list. */
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

/** A list row, and how its post writes the topic. */
export type TopicPostRow = PostListRow & { written: string | null }

/** Returns how most rows write the topic, of equally many the newest; null without rows. */
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
