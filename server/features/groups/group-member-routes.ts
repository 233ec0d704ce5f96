import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  declineGroupOperation,
  getGroupMembershipOperation,
  handOverGroupOperation,
  leaveGroupOperation,
  listGroupMembersOperation,
  removeGroupMemberOperation,
  takePostsOutOfGroupOperation,
} from '#contract/groups/group-members.ts'
import { listPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectJoinedGroupKeys,
  whereMemberHasAbility,
  whereMemberMayRead,
  wherePostNotHidden,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { selectNewestFirstPage } from '../../store/pagination.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { hideGroupPostsOfLeavingMember, lockMemberPostsInGroup } from '../posts/posts-of-leaving-members.ts'
import { findGroupKey, readGroupForCaller } from './group-routes.ts'
import { declineGroup, lockSuccessor } from './group-succession.ts'
import { hydrateGroupMemberships } from './hydrate-groups.ts'

export function registerGroupMemberRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listGroupMembersOperation,
    async ({ groupId, cursor, limit = listPageSize }, ctx) => {
      const { me, database, config } = ctx
      const db = database.kysely
      const group = await findGroupKey(db, me.id, groupId)
      const which = sql`t.group_id = ${group}`
      const { keys, next } = await selectNewestFirstPage(db, me, 'groupMembers', which, { cursor, limit })
      const documents = await hydrateGroupMemberships(db, config, me.id, keys)
      const blockedCount = cursor === undefined ? await countBlocked(db, me.id, group) : 0
      return { documents, next, ...(blockedCount > 0 ? { blockedCount } : {}) }
    },
  )

  registerRoute(app, context, getGroupMembershipOperation, async ({ groupId, userId }, { me, database }) => {
    const group = await findGroupKey(database.kysely, me.id, groupId)
    const { rows } = await sql<{ decides: boolean }>`
      select ${whereMemberHasAbility(sql.ref('m.user_id'), 'decide', 'groups', 'g')} as decides
      from group_members m join groups g on g.id = m.group_id join users u on u.id = m.user_id
      where m.group_id = ${group} and u.public_id = ${userId ?? me.publicId}
        and ${whereMemberMayRead(memberKeyParameter(me.id), 'group_members', 'm')}`.execute(database.kysely)
    const isOwn = userId === undefined || userId === me.publicId
    const postCount = isOwn ? await countPostsInGroup(database.kysely, me.id, group) : undefined
    return { isMember: rows.length > 0, isAdmin: rows[0]?.decides === true, postCount }
  })

  registerRoute(app, context, leaveGroupOperation, async ({ groupId, userId, posts = 'keep' }, ctx) => {
    const { me, store } = ctx
    assertActorIsCaller(me, userId)
    return store.transact(async (tx) => {
      const group = await lockGroup(tx, me.id, groupId)
      if (posts === 'take') await lockMemberPostsInGroup(tx, me.id, group)
      const membership = await membershipOf(tx, me.id, group, me.publicId)
      if (membership) await tx.remove(me.id, 'groupMembers', membership)
      if (posts === 'take') await hideGroupPostsOfLeavingMember(tx, me.id, sql`t.group_id = ${group}`)
      // Reads in the transaction, because the group may be deleted right after it.
      return readGroupForCaller(ctx, group, tx.db)
    })
  })

  registerRoute(app, context, takePostsOutOfGroupOperation, async ({ groupId }, { me, store }) => ({
    taken: await store.transact(
      async (tx) => (await hideGroupPostsOfLeavingMember(tx, me.id, sql`g.public_id = ${groupId}`)).length,
    ),
  }))

  registerRoute(
    app,
    context,
    removeGroupMemberOperation,
    async ({ groupId, memberId, currentUserId }, ctx) => {
      const { me, store } = ctx
      assertActorIsCaller(me, currentUserId)
      const key = await store.transact(async (tx) => {
        const group = await lockGroup(tx, me.id, groupId)
        const membership = await membershipOf(tx, me.id, group, memberId)
        if (!membership) return throwFailure('group_member_not_found')
        await tx.remove(me.id, 'groupMembers', membership)
        return group
      })
      return readGroupForCaller(ctx, key)
    },
  )

  registerRoute(app, context, handOverGroupOperation, async ({ groupId, memberId, currentUserId }, ctx) => {
    const { me, store } = ctx
    assertActorIsCaller(me, currentUserId)
    const key = await store.transact(async (tx) => {
      const group = await lockGroup(tx, me.id, groupId)
      const asMe = memberKeyParameter(me.id)
      const { rows } = await sql`
        select from groups g where g.id = ${group}
          and ${whereMemberHasAbility(asMe, 'decide', 'groups', 'g')}`.execute(tx.db)
      if (rows.length === 0) return throwFailure('user_unauthorized')
      if (memberId === me.publicId) return group
      const successor = await lockSuccessor(
        tx,
        { group, admin: me.id },
        sql`
          select m.user_id from group_members m join users u on u.id = m.user_id
          where m.group_id = ${group} and u.public_id = ${memberId}
            and ${whereMemberHasAbility(asMe, 'handOver', 'group_members', 'm')}`,
      )
      if (successor === null) return throwFailure('group_member_not_found')
      await tx.update(me.id, 'groups', groupId, { admin_id: successor })
      return group
    })
    return readGroupForCaller(ctx, key)
  })

  // The response has no group, because the caller may no longer see it afterwards.
  registerRoute(app, context, declineGroupOperation, async ({ groupId }, { me, store }) => {
    await store.transact(async (tx) => {
      const group = await lockGroup(tx, me.id, groupId)
      if (!(await declineGroup(tx, me.id, group, groupId))) throwFailure('user_unauthorized')
    })
  })
}

/** Posts that other members do not see are not counted. */
async function countPostsInGroup(db: Kysely<DatabaseTables>, me: number, group: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from posts p
    where p.creator_id = ${me} and p.group_id = ${group} and ${wherePostNotHidden(memberKeyParameter(me), 'p')}
      and ${whereMemberMayRead(memberKeyParameter(me), 'posts', 'p')}`.execute(db)
  return rows[0]?.count ?? 0
}

async function countBlocked(db: Kysely<DatabaseTables>, me: number, group: number): Promise<number> {
  const meParam = memberKeyParameter(me)
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
    from blocks b join users u on u.id = b.blocked_id join group_members m on m.user_id = u.id
    where m.group_id = ${group} and ${group} in ${selectJoinedGroupKeys(meParam)}
      and ${whereMemberMayRead(meParam, 'blocks', 'b')} and ${whereMemberHasAbility(meParam, 'observe', 'users', 'u')}`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

/** Membership changes wait until the commit. */
async function lockGroup(tx: StoreTransaction, me: number, groupId: string): Promise<number> {
  await tx.lock('groups', groupId)
  return findGroupKey(tx.db, me, groupId)
}

async function membershipOf(tx: StoreTransaction, me: number, group: number, userId: string) {
  const { rows } = await sql<{ public_id: string }>`
    select m.public_id from group_members m join users u on u.id = m.user_id
    where m.group_id = ${group} and u.public_id = ${userId}
      and ${whereMemberMayRead(memberKeyParameter(me), 'group_members', 'm')}`.execute(tx.db)
  return rows[0]?.public_id
}
