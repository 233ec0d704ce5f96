/**
 * The home feed (spec §7, conflict C-04): public posts of the followed and of oneself, merged with the posts of one's
 * groups, newest first, twenty.
 *
 * Two steps (architecture §6): the newest post of each author leads to the twenty authors that can matter at all, then
 * twenty posts of each; groups the same way. A walk over all posts from the newest on has a bad case, this has none. The
 * lateral sub-selects touch only what their index holds.
 */
import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { homeFeedSize } from '#contract/limits.ts'
import { homeFeed } from '#contract/posts.ts'
import type { Tables } from '../database/schema.ts'
import { serve } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { isHere } from '../policy.ts'
import { hydratePosts } from '../views.ts'

export function feedOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, homeFeed, async (_input, { me, database, config }) => {
    const keys = await newestForHome(database.kysely, me.id)
    return { documents: await hydratePosts(database.kysely, config, me.id, keys) }
  })
}

/** The keys of the feed, newest first. Permission is in the sources: her groups of now, and members who are here. */
async function newestForHome(db: Kysely<Tables>, me: number): Promise<number[]> {
  const author = sql.ref('p.creator_id')
  const { rows } = await sql<{ id: number }>`
    with authors as (
      select ${me}::bigint as id
      union all select following_id from follows where follower_id = ${me} and ${isHere(sql.ref('following_id'))}
    ), leading_authors as (
      select authors.id from authors, lateral (
        select p.created_at, p.id as post from posts p where p.creator_id = authors.id and p.group_id is null
        order by p.created_at desc, p.id desc limit 1
      ) newest order by newest.created_at desc, newest.post desc limit ${homeFeedSize}
    ), leading_groups as (
      select gm.group_id as id from group_members gm, lateral (
        select p.created_at, p.id as post from posts p where p.group_id = gm.group_id and ${isHere(author)}
        order by p.created_at desc, p.id desc limit 1
      ) newest where gm.user_id = ${me} order by newest.created_at desc, newest.post desc limit ${homeFeedSize}
    )
    select id, created_at from (
      select own.id, own.created_at from leading_authors a, lateral (
        select p.id, p.created_at from posts p where p.creator_id = a.id and p.group_id is null
        order by p.created_at desc, p.id desc limit ${homeFeedSize}
      ) own
      union all
      select shared.id, shared.created_at from leading_groups g, lateral (
        select p.id, p.created_at from posts p where p.group_id = g.id and ${isHere(author)}
        order by p.created_at desc, p.id desc limit ${homeFeedSize}
      ) shared
    ) merged
    order by created_at desc, id desc limit ${homeFeedSize}`.execute(db)
  return rows.map((row) => row.id)
}
