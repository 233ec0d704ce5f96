/** The posts of a group, for its members, and of all one's groups together (spec §5, §7 Groups). */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { groupPosts, myGroupsPosts } from '#contract/groups.ts'
import { groupPostsSize } from '#contract/limits.ts'
import { fail } from '../errors.ts'
import { actsAsHerself, serve } from '../operations.ts'
import { newestFirst } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, isHere, visible } from '../policy.ts'
import { hydratePosts } from '../views.ts'
import { groupKey } from './groups.ts'

export function groupPostOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, groupPosts, async ({ groupId, userId, cursor }, { me, database, config }) => {
    actsAsHerself(me, userId)
    const db = database.kysely
    const group = await groupKey(db, me.id, groupId)
    const membership = await visible(db, asMe(me.id), 'group_members')
      .select('id')
      .where('group_id', '=', group)
      .where('user_id', '=', me.id)
      .executeTakeFirst()
    // A former member still reads her own posts, but not as the group's list.
    if (!membership) return fail('group_membership_required')
    const { keys, next } = await newestFirst(db, me, 'posts', sql`t.group_id = ${group}`, {
      cursor,
      limit: groupPostsSize,
    })
    return { documents: await hydratePosts(db, config, me.id, keys), next }
  })

  // As the home feed finds them (feed.ts): the newest of each group, then the newest of all.
  serve(app, parts, myGroupsPosts, async ({ userId }, { me, database, config }) => {
    actsAsHerself(me, userId)
    const { rows } = await sql<{ id: number }>`
      select own.id from group_members gm, lateral (
        select p.id, p.created_at from posts p where p.group_id = gm.group_id and ${isHere(sql.ref('p.creator_id'))}
        order by p.created_at desc, p.id desc limit ${groupPostsSize}
      ) own where gm.user_id = ${me.id}
      order by own.created_at desc, own.id desc limit ${groupPostsSize}`.execute(database.kysely)
    const keys = rows.map((row) => row.id)
    return { documents: await hydratePosts(database.kysely, config, me.id, keys) }
  })
}
