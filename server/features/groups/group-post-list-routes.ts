import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listGroupPostsOperation, listMyGroupsPostsOperation } from '#contract/groups/groups.ts'
import { groupPostsPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectJoinedGroupKeys,
  selectReadableRows,
  whereMemberHasAbility,
  wherePostCreatorOpenAndUnblocked,
  wherePostNotHidden,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { selectNewestFirstPage } from '../../store/pagination.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import { hydratePosts } from '../posts/hydrate-posts.ts'
import { findGroupKey } from './group-routes.ts'

export function registerGroupPostListRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listGroupPostsOperation,
    async ({ groupId, userId, cursor }, { me, database, config }) => {
      assertActorIsCaller(me, userId)
      const db = database.kysely
      const group = await findGroupKey(db, me.id, groupId)
      const readable = await selectReadableRows(db, memberKeyParameter(me.id), 'groups')
        .select('id')
        .where('id', '=', group)
        .where(whereMemberHasAbility(memberKeyParameter(me.id), 'readPosts', 'groups', 'groups'))
        .executeTakeFirst()
      // Former members read their own posts in another list.
      if (!readable) return throwFailure('group_membership_required')
      const { keys, next } = await selectNewestFirstPage(db, me, 'posts', sql`t.group_id = ${group}`, {
        cursor,
        limit: groupPostsPageSize,
      })
      return { documents: await hydratePosts(db, config, me.id, keys), next }
    },
  )

  // The list takes the newest posts of each group, then the newest of all.
  registerRoute(app, context, listMyGroupsPostsOperation, async ({ userId }, { me, database, config }) => {
    assertActorIsCaller(me, userId)
    const meParam = memberKeyParameter(me.id)
    const { rows } = await sql<{ id: number }>`
      select own.id from ${selectJoinedGroupKeys(meParam)} as mine, lateral (
        select p.id, p.created_at from posts p where p.group_id = mine.id and ${wherePostCreatorOpenAndUnblocked(meParam, 'p')}
          and ${wherePostNotHidden(meParam, 'p')} and ${whereNotMuted(me.id, sql.ref('p.creator_id'))}
        order by p.created_at desc, p.id desc limit ${groupPostsPageSize}
      ) own
      order by own.created_at desc, own.id desc limit ${groupPostsPageSize}`.execute(database.kysely)
    const keys = rows.map((row) => row.id)
    return { documents: await hydratePosts(database.kysely, config, me.id, keys) }
  })
}
