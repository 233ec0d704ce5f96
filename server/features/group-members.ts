/** Who is in a group: the list, leaving, removing and handing over. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  checkMembership,
  handOverGroup,
  leaveGroup,
  listMembers,
  removeMember,
} from '#contract/group-members.ts'
import { listPageSize } from '#contract/limits.ts'
import { theServer } from '../actor.ts'
import { fail } from '../errors.ts'
import { actsAsHerself, serve } from '../operations.ts'
import { newestFirst } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, may, mayRead } from '../policy.ts'
import type { Writing } from '../store.ts'
import { hydrateMembers } from '../views-groups.ts'
import { groupKey, showGroup } from './groups.ts'

export function groupMemberOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, listMembers, async ({ groupId, cursor, limit = listPageSize }, asking) => {
    const { me, database, config } = asking
    const db = database.kysely
    const group = await groupKey(db, me.id, groupId)
    const which = sql`t.group_id = ${group}`
    const { keys, next } = await newestFirst(db, me, 'groupMembers', which, { cursor, limit })
    return { documents: await hydrateMembers(db, config, me.id, keys), next }
  })

  serve(app, parts, checkMembership, async ({ groupId, userId }, { me, database }) => {
    const group = await groupKey(database.kysely, me.id, groupId)
    const { rows } = await sql<{ role: string }>`
      select m.role from group_members m join users u on u.id = m.user_id
      where m.group_id = ${group} and u.public_id = ${userId ?? me.publicId}
        and ${mayRead(asMe(me.id), 'group_members', 'm')}`.execute(database.kysely)
    return { isMember: rows.length > 0, isAdmin: rows[0]?.role === 'admin' }
  })

  serve(app, parts, leaveGroup, async ({ groupId, userId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, userId)
    const key = await store.transact(async (writing) => {
      const group = await lockGroup(writing, me.id, groupId)
      const membership = await membershipOf(writing, me.id, group, me.publicId)
      if (membership) await writing.remove(me.id, 'groupMembers', membership)
      return group
    })
    return showGroup(asking, key)
  })

  serve(app, parts, removeMember, async ({ groupId, memberId, currentUserId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, currentUserId)
    const key = await store.transact(async (writing) => {
      const group = await lockGroup(writing, me.id, groupId)
      const membership = await membershipOf(writing, me.id, group, memberId)
      if (!membership) return fail('group_member_not_found')
      await writing.remove(me.id, 'groupMembers', membership)
      return group
    })
    return showGroup(asking, key)
  })

  serve(app, parts, handOverGroup, async ({ groupId, memberId, currentUserId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, currentUserId)
    const key = await store.transact(async (writing) => {
      const group = await lockGroup(writing, me.id, groupId)
      const { rows } = await sql<{ permitted: boolean; admin: number | null }>`
        select ${may(asMe(me.id), 'update', 'groups', 'g')} as permitted,
          (select m.user_id from group_members m join users u on u.id = m.user_id
            where m.group_id = g.id and u.public_id = ${memberId}) as admin
        from groups g where g.id = ${group}`.execute(writing.db)
      if (!rows[0]?.permitted) return fail('user_unauthorized')
      if (rows[0].admin === null) return fail('group_member_not_found')
      // Not as herself: by then she is not the admin any more, which `updated` would refuse.
      await writing.update(theServer, 'groups', groupId, { admin_id: rows[0].admin })
      return group
    })
    return showGroup(asking, key)
  })
}

/** The group's key, with its row locked: who is in it stands still until the commit. */
async function lockGroup(writing: Writing, me: number, groupId: string): Promise<number> {
  await writing.lock('groups', groupId)
  return groupKey(writing.db, me, groupId)
}

/** The id of somebody's membership, where `me` can see it. */
async function membershipOf(writing: Writing, me: number, group: number, userId: string) {
  const { rows } = await sql<{ public_id: string }>`
    select m.public_id from group_members m join users u on u.id = m.user_id
    where m.group_id = ${group} and u.public_id = ${userId}
      and ${mayRead(asMe(me), 'group_members', 'm')}`.execute(writing.db)
  return rows[0]?.public_id
}
