/** Asking to join and being answered: the sentences and the order of the spec (§4 Group request, §5; reading D-07). */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  approveRequest,
  type GroupRequest,
  latestRequest,
  pendingRequests,
  rejectRequest,
  requestToJoin,
  withdrawRequest,
} from '#contract/group-requests.ts'
import { listPageSize } from '#contract/limits.ts'
import { fail } from '../errors.ts'
import { type Asking, actsAsHerself, serve } from '../operations.ts'
import { keysetAfter, type Listed, pageOf } from '../paging.ts'
import type { Parts } from '../parts.ts'
import { asMe, may, mayRead } from '../policy.ts'
import { hydrateRequests } from '../views-groups.ts'
import { groupKey } from './groups.ts'

export function groupRequestOperations(app: FastifyInstance, parts: Parts): void {
  serve(app, parts, requestToJoin, async ({ groupId, userId }, asking) => {
    const { me, store } = asking
    actsAsHerself(me, userId)
    const key = await store.transact(async (writing) => {
      const group_id = await groupKey(writing.db, me.id, groupId)
      // Whether she waits or is in already is the schema's answer, given under the group's lock.
      return (await writing.insert(me.id, 'groupRequests', { group_id, user_id: me.id })).id
    })
    return showRequest(asking, key)
  })

  serve(app, parts, withdrawRequest, async ({ requestId, userId }, { me, store }) => {
    actsAsHerself(me, userId)
    await store.transact(async (writing) => {
      await writing.lock('groupRequests', requestId)
      const { rows } = await sql`
        select from group_requests r
        where r.public_id = ${requestId} and ${mayRead(asMe(me.id), 'group_requests', 'r')}`.execute(
        writing.db,
      )
      if (rows.length === 0) fail('group_request_not_found')
      await writing.remove(me.id, 'groupRequests', requestId)
    })
  })

  for (const [operation, status, notAdmin] of [
    [approveRequest, 'accepted', 'group_approve_admin_required'],
    [rejectRequest, 'rejected', 'group_reject_admin_required'],
  ] as const) {
    serve(app, parts, operation, async ({ requestId, currentUserId }, asking) => {
      const { me, store } = asking
      actsAsHerself(me, currentUserId)
      const key = await store.transact(async (writing) => {
        await writing.lock('groupRequests', requestId)
        const { rows } = await sql<{ status: string; permitted: boolean }>`
          select r.status, ${may(asMe(me.id), 'update', 'group_requests', 'r')} as permitted
          from group_requests r where r.public_id = ${requestId}`.execute(writing.db)
        const [request] = rows
        if (!request) return fail('group_request_not_found')
        if (!request.permitted) return fail(notAdmin)
        if (request.status !== 'pending') return fail('group_request_processed')
        return (await writing.update(me.id, 'groupRequests', requestId, { status })).id
      })
      return showRequest(asking, key)
    })
  }

  serve(app, parts, pendingRequests, async ({ groupId, userId, cursor, limit = listPageSize }, asking) => {
    const { me, database, config } = asking
    actsAsHerself(me, userId)
    const db = database.kysely
    const after = cursor === undefined ? null : await keysetAfter(db, me, 'groupRequests', cursor)
    const { rows } = await sql<Listed>`
      select r.id, r.public_id from group_requests r
      where r.status = 'pending' and ${may(asMe(me.id), 'update', 'group_requests', 'r')}
        and r.group_id in (select g.id from groups g where g.admin_id = ${me.id})
        ${groupId === undefined ? sql`` : sql`and r.group_id = (select g.id from groups g where g.public_id = ${groupId})`}
        ${after ? sql`and (r.created_at, r.id) < (${after.createdAt}, ${after.rowId})` : sql``}
      order by r.created_at desc, r.id desc limit ${limit}`.execute(db)
    const { keys, next } = pageOf(rows, limit)
    return { documents: await hydrateRequests(db, config, me.id, keys), next }
  })

  serve(app, parts, latestRequest, async ({ groupId, userId }, { me, database, config }) => {
    const db = database.kysely
    const group = await groupKey(db, me.id, groupId)
    const { rows } = await sql<{ id: number }>`
      select r.id from group_requests r join users u on u.id = r.user_id
      where r.group_id = ${group} and u.public_id = ${userId ?? me.publicId}
        and ${mayRead(asMe(me.id), 'group_requests', 'r')}
      order by r.created_at desc, r.id desc limit 1`.execute(db)
    const keys = rows.map((row) => row.id)
    const [request] = await hydrateRequests(db, config, me.id, keys)
    return { request: request ?? null }
  })
}

async function showRequest({ me, database, config }: Asking, key: number): Promise<GroupRequest> {
  const [request] = await hydrateRequests(database.kysely, config, me.id, [key])
  return request ?? fail('group_request_not_found')
}
