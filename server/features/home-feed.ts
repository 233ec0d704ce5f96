/**
 * Serves the home feed: public posts of the followed and of oneself, merged with the posts of one's groups, newest first,
 * twenty at a time. Explore shows parts of it.
 *
 * Two steps: the newest post of each author leads to the twenty authors that can matter at all, then twenty posts of
 * each; groups the same way. A walk over all posts from the newest on has a bad case, this has none. The lateral
 * sub-selects touch only what their index holds.
 */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { homeFeedPageSize } from '#contract/limits.ts'
import { getHomeFeedOperation } from '#contract/posts.ts'
import type { AppContext } from '../app-context.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { findKeysetCursorRow } from '../pagination.ts'
import {
  memberKeyParameter,
  membersFollowedBy,
  selectJoinedGroupKeys,
  whereNotHidden,
  wherePostCreatorOpenAndUnblocked,
} from '../policy.ts'
import { registerRoute } from '../route.ts'
import { whereNotMuted } from '../views/mute-filter.ts'
import { hydratePosts } from '../views/posts.ts'

export function registerHomeFeedRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getHomeFeedOperation, async ({ cursor }, { me, database, config }) => {
    const db = database.kysely
    const last = cursor === undefined ? null : await findKeysetCursorRow(db, me, 'posts', cursor)
    const after = last && { at: last.createdAt, id: last.rowId }
    const sources = buildHomeFeedSources(me.id, { own: true, followed: true, groups: true })
    const keys = await selectHomeFeedPostKeys(db, me.id, sources, after, homeFeedPageSize)
    const documents = await hydratePosts(db, config, me.id, keys)
    return { documents, next: keys.length < homeFeedPageSize ? null : (documents.at(-1)?.$id ?? null) }
  })
}

/** Whose posts a feed has: members for their public posts, and groups. Each is a sub-select with one column `id`. */
type FeedSources = { authors: RawBuilder<unknown>; groups: RawBuilder<unknown> }

const none = sql`(select null::bigint as id where false)`

/** @param which none where left out: the caller's own posts, those of the followed, those of the caller's groups */
export function buildHomeFeedSources(
  me: number,
  which: { own?: boolean; followed?: boolean; groups?: boolean },
): FeedSources {
  const meParam = memberKeyParameter(me)
  const own = which.own ? sql`select ${meParam} as id union all` : sql``
  const followed = which.followed ? membersFollowedBy(meParam) : none
  return {
    authors: sql`${own} select followed.id from ${followed} as followed where ${whereNotMuted(me, sql.ref('followed.id'))}`,
    groups: which.groups ? selectJoinedGroupKeys(meParam) : none,
  }
}

/**
 * Selects the keys of a page of the feed, newest first. Permission is in the sources: the caller's current groups, and members whose
 * accounts are open. What muted members post in groups is left out.
 */
export async function selectHomeFeedPostKeys(
  db: Kysely<DatabaseTables>,
  me: number,
  { authors, groups }: FeedSources,
  after: { at: Date; id: number } | null,
  limit: number,
): Promise<number[]> {
  const meParam = memberKeyParameter(me)
  const heard = whereNotMuted(me, sql.ref('p.creator_id'))
  const seen = whereNotHidden(meParam, 'p')
  const older = after ? sql`and (p.created_at, p.id) < (${after.at}, ${after.id})` : sql``
  const { rows } = await sql<{ id: number }>`
    with authors as (${authors}), leading_authors as (
      select authors.id from authors, lateral (
        select p.created_at, p.id as post from posts p where p.creator_id = authors.id and p.group_id is null and ${seen} ${older}
        order by p.created_at desc, p.id desc limit 1
      ) newest order by newest.created_at desc, newest.post desc limit ${limit}
    ), leading_groups as (
      select mine.id from ${groups} as mine, lateral (
        select p.created_at, p.id as post from posts p where p.group_id = mine.id and ${wherePostCreatorOpenAndUnblocked(meParam, 'p')} and ${heard} and ${seen} ${older}
        order by p.created_at desc, p.id desc limit 1
      ) newest order by newest.created_at desc, newest.post desc limit ${limit}
    )
    select id, created_at from (
      select own.id, own.created_at from leading_authors a, lateral (
        select p.id, p.created_at from posts p where p.creator_id = a.id and p.group_id is null and ${seen} ${older}
        order by p.created_at desc, p.id desc limit ${limit}
      ) own
      union all
      select shared.id, shared.created_at from leading_groups g, lateral (
        select p.id, p.created_at from posts p where p.group_id = g.id and ${wherePostCreatorOpenAndUnblocked(meParam, 'p')} and ${heard} and ${seen} ${older}
        order by p.created_at desc, p.id desc limit ${limit}
      ) shared
    ) merged
    order by created_at desc, id desc limit ${limit}`.execute(db)
  return rows.map((row) => row.id)
}
