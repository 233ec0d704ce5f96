/** Errors of join requests are checked in a fixed order. */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  approveJoinRequestOperation,
  getLatestJoinRequestOperation,
  type JoinRequest,
  listPendingJoinRequestsOperation,
  rejectJoinRequestOperation,
  requestToJoinOperation,
  withdrawJoinRequestOperation,
} from '#contract/groups/group-requests.ts'
import { listPageSize } from '#contract/limits.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { throwFailure } from '../../errors.ts'
import {
  memberKeyParameter,
  selectAdministeredGroupKeys,
  whereAccessRuleAllows,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { findKeysetCursorRow, type ListedRow, toRowKeyPage } from '../../store/pagination.ts'
import { findGroupKey } from './group-routes.ts'
import { hydrateJoinRequests } from './hydrate-groups.ts'

export function registerGroupRequestRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, requestToJoinOperation, async ({ groupId, userId }, ctx) => {
    const { me, store } = ctx
    assertActorIsCaller(me, userId)
    const key = await store.transact(async (tx) => {
      const group_id = await findGroupKey(tx.db, me.id, groupId)
      // The schema decides under the group's lock whether a request or membership already exists.
      return (await tx.insert(me.id, 'groupRequests', { group_id, user_id: me.id })).id
    })
    return showRequest(ctx, key)
  })

  registerRoute(app, context, withdrawJoinRequestOperation, async ({ requestId, userId }, { me, store }) => {
    assertActorIsCaller(me, userId)
    await store.transact(async (tx) => {
      await tx.lock('groupRequests', requestId)
      const { rows } = await sql`
        select from group_requests r
        where r.public_id = ${requestId} and ${whereMemberMayRead(memberKeyParameter(me.id), 'group_requests', 'r')}`.execute(
        tx.db,
      )
      if (rows.length === 0) throwFailure('group_request_not_found')
      await tx.remove(me.id, 'groupRequests', requestId)
    })
  })

  for (const [operation, status, notAdmin] of [
    [approveJoinRequestOperation, 'accepted', 'group_approve_admin_required'],
    [rejectJoinRequestOperation, 'rejected', 'group_reject_admin_required'],
  ] as const) {
    registerRoute(app, context, operation, async ({ requestId, currentUserId }, ctx) => {
      const { me, store } = ctx
      assertActorIsCaller(me, currentUserId)
      const key = await store.transact(async (tx) => {
        await tx.lock('groupRequests', requestId)
        const { rows } = await sql<{ permitted: boolean }>`
          select ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'group_requests', 'r')} as permitted
          from group_requests r where r.public_id = ${requestId}`.execute(tx.db)
        const [request] = rows
        if (!request) return throwFailure('group_request_not_found')
        if (!request.permitted) return throwFailure(notAdmin)
        return (await tx.update(me.id, 'groupRequests', requestId, { status })).id
      })
      return showRequest(ctx, key)
    })
  }

  registerRoute(
    app,
    context,
    listPendingJoinRequestsOperation,
    async ({ groupId, userId, cursor, limit = listPageSize }, ctx) => {
      const { me, database, config } = ctx
      assertActorIsCaller(me, userId)
      const db = database.kysely
      const after = cursor === undefined ? null : await findKeysetCursorRow(db, me, 'groupRequests', cursor)
      const { rows } = await sql<ListedRow>`
      select r.id, r.public_id from group_requests r
      where r.status = 'pending' and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'group_requests', 'r')}
        and r.group_id in ${selectAdministeredGroupKeys(memberKeyParameter(me.id))}
        ${groupId === undefined ? sql`` : sql`and r.group_id = (select g.id from groups g where g.public_id = ${groupId})`}
        ${after ? sql`and (r.created_at, r.id) < (${after.createdAt}, ${after.rowId})` : sql``}
      order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
      const { keys, next } = toRowKeyPage(rows, limit)
      return { documents: await hydrateJoinRequests(db, config, me.id, keys), next }
    },
  )

  registerRoute(
    app,
    context,
    getLatestJoinRequestOperation,
    async ({ groupId, userId }, { me, database, config }) => {
      const db = database.kysely
      const group = await findGroupKey(db, me.id, groupId)
      const { rows } = await sql<{ id: number }>`
      select r.id from group_requests r join users u on u.id = r.user_id
      where r.group_id = ${group} and u.public_id = ${userId ?? me.publicId}
        and ${whereMemberMayRead(memberKeyParameter(me.id), 'group_requests', 'r')}
      order by r.created_at desc, r.id desc limit 1`.execute(db)
      const keys = rows.map((row) => row.id)
      const [request] = await hydrateJoinRequests(db, config, me.id, keys)
      return { request: request ?? null }
    },
  )
}

async function showRequest({ me, database, config }: RequestContext, key: number): Promise<JoinRequest> {
  const [request] = await hydrateJoinRequests(database.kysely, config, me.id, [key])
  return request ?? throwFailure('group_request_not_found')
}
