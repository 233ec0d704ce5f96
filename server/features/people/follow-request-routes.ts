import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  approveFollowRequestOperation,
  countFollowRequestsOperation,
  declineFollowRequestOperation,
  listFollowRequestsOperation,
} from '#contract/people/follow-requests.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import {
  isPrivateAccount,
  memberKeyParameter,
  selectReadableRows,
  whereAccessRuleAllows,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { systemActor } from '../../store/actor.ts'
import { decodeTimeCursor, encodeCursor } from '../../store/pagination.ts'
import type { TransactionalStore } from '../../store/store.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { hydrateFollowRequests } from './hydrate-follow-requests.ts'

export function registerFollowRequestRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, listFollowRequestsOperation, async ({ cursor, limit = listPageSize }, ctx) => {
    const { me, database, config } = ctx
    const db = database.kysely
    // The request at the cursor may have been answered meanwhile, so the cursor contains only time and id.
    const after = cursor === undefined ? null : decodeTimeCursor(cursor)
    const page = after
      ? sql`and r.created_at <= ${after.at} and (r.created_at, r.public_id) < (${after.at}, ${after.id}::public_id)`
      : sql``
    const { rows } = await sql<{ id: number; public_id: string; created_at: Date }>`
      select r.id, r.public_id, r.created_at from follow_requests r
      where r.asked_id = ${me.id} and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'follow_requests', 'r')}
        and r.status = 'pending' ${page}
      order by r.created_at desc, r.public_id desc limit ${limit}`.execute(db)
    const keys = rows.map((row) => row.id)
    const last = rows.at(-1)
    return {
      documents: await hydrateFollowRequests(db, config, me.id, keys),
      next: last && rows.length === limit ? encodeCursor(last.public_id, last.created_at) : null,
    }
  })

  registerRoute(app, context, countFollowRequestsOperation, async (_input, { me, database }) => ({
    count: await countPendingFollowRequests(database.kysely, me),
  }))

  registerRoute(app, context, approveFollowRequestOperation, async ({ requestId }, { me, store }) => {
    if (!(await approveFollowRequest(store, me, requestId))) throwFailure('follow_request_not_found')
    return { followsMe: true as const }
  })

  registerRoute(app, context, declineFollowRequestOperation, async ({ requestId }, { me, store }) => {
    await store.transact(async (tx) => {
      const { rows } = await sql<FollowRequestKey>`
        update follow_requests r set status = 'declined', decided_at = clock_timestamp()
        where r.public_id = ${requestId}
          and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'follow_requests', 'r')}
        returning r.id, r.public_id`.execute(tx.db)
      const [request] = rows
      if (!request) return throwFailure('follow_request_not_found')
      // The requester is not notified and still sees a pending request.
      await tx.recordAccountChange('followRequests', 'delete', request, [me.id])
    })
    return { followsMe: false as const }
  })
}

export async function countPendingFollowRequests(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from follow_requests r
    where r.asked_id = ${me.id} and r.status = 'pending'
      and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'follow_requests', 'r')}`.execute(db)
  return rows[0]?.count ?? 0
}

type FollowRequestKey = { id: number; public_id: string }

/** The key of the follow or request. */
export type FollowOutcome = { key: number; requested: boolean }

/**
 * Following twice has no further effect. The database decides under the account's lock.
 * If the member switches privacy meanwhile, the transaction restarts.
 * @param publicId the id of the new follow or request, which the client chose
 */
export async function followOrRequestFollow(
  tx: StoreTransaction,
  me: Pick<AuthenticatedMember, 'id'>,
  target: number,
  publicId: string = generateId(),
): Promise<FollowOutcome> {
  // Only new requests, expired declined requests and withdrawn requests (under a new id) notify.
  // `xmax` is 0 for a new row, and the subquery sees the row as it was before the statement.
  const { rows } = await sql<FollowRequestKey & { status: string; fresh: boolean }>`
    insert into follow_requests as r (public_id, asker_id, asked_id)
    select ${publicId}, asking.asker_id, asking.asked_id
    from (
      select ${memberKeyParameter(me.id)} as asker_id, ${memberKeyParameter(target)} as asked_id,
        null::timestamptz as decided_at, false as withdrawn, 'pending' as status
    ) asking
    where ${whereAccessRuleAllows(memberKeyParameter(me.id), 'create', 'follow_requests', 'asking')}
      and asking.asker_id <> asking.asked_id
    on conflict on constraint follow_requests_pair do update set
      public_id = case when r.withdrawn or ${isDeclineOver('r')} then excluded.public_id else r.public_id end,
      created_at = case when r.withdrawn or ${isDeclineOver('r')} then excluded.created_at else r.created_at end,
      status = case when ${isDeclineOver('r')} then 'pending' else r.status end,
      decided_at = case when ${isDeclineOver('r')} then null else r.decided_at end,
      withdrawn = false
    returning r.id, r.public_id, r.status, r.xmax = 0 or exists (
      select from follow_requests before where before.id = r.id and (before.withdrawn or ${isDeclineOver('before')})) as fresh`.execute(
    tx.db,
  )
  const [request] = rows
  if (request) {
    // Repeating a declined request does not notify the other member.
    const recipients = request.status === 'pending' ? [me.id, target] : [me.id]
    if (request.fresh) await tx.recordAccountChange('followRequests', 'create', request, recipients)
    return { key: request.id, requested: true }
  }
  const { id } = await tx.insert(me.id, 'follows', {
    public_id: publicId,
    follower_id: me.id,
    following_id: target,
  })
  return { key: id, requested: false }
}

const isDeclineOver = (request: string) =>
  sql`coalesce(${sql.ref(`${request}.decided_at`)} < clock_timestamp() - interval '30 days', false)`

/**
 * Withdraws a request. A declined request stays hidden under another id, so that a repeated request is still
 * declined.
 */
export async function withdrawFollowRequest(
  tx: StoreTransaction,
  me: Pick<AuthenticatedMember, 'id'>,
  target: number,
): Promise<boolean> {
  const { rows } = await sql<FollowRequestKey & { status: string }>`
    select r.id, r.public_id, r.status from follow_requests r
    where r.asker_id = ${me.id} and r.asked_id = ${target}
      and ${whereMemberMayRead(memberKeyParameter(me.id), 'follow_requests', 'r')} for update of r`.execute(
    tx.db,
  )
  const [request] = rows
  if (!request) return false
  await (request.status === 'declined'
    ? sql`update follow_requests set withdrawn = true, public_id = ${generateId()} where id = ${request.id}`
    : sql`delete from follow_requests where id = ${request.id}`
  ).execute(tx.db)
  const recipients = request.status === 'declined' ? [me.id] : [me.id, target]
  await tx.recordAccountChange('followRequests', 'delete', request, recipients)
  return true
}

export async function findOwnFollowRequest(
  db: Kysely<DatabaseTables>,
  me: Pick<AuthenticatedMember, 'id'>,
  requestId: string,
): Promise<{ id: number; asked_id: number } | undefined> {
  return selectReadableRows(db, memberKeyParameter(me.id), 'follow_requests')
    .select(['id', 'asked_id'])
    .where('public_id', '=', requestId)
    .where('asker_id', '=', me.id)
    .executeTakeFirst()
}

/**
 * Approves the request, whose id becomes the follow's.
 * Locks the pair, then the members, then the request, as blocking does.
 * @param options.onlyWhilePublic skips private accounts; the lock makes a concurrent switch wait
 */
export const approveFollowRequest = (
  store: TransactionalStore,
  me: Pick<AuthenticatedMember, 'id'>,
  requestId: string,
  { onlyWhilePublic = false }: { onlyWhilePublic?: boolean } = {},
): Promise<boolean> =>
  store.transact(async (tx) => {
    const { rows } = await sql<{ id: number; asker_id: number; taken: boolean }>`
      select r.id, r.asker_id, exists (select from follows f where f.public_id = r.public_id) as taken
      from follow_requests r
      where r.public_id = ${requestId}
        and ${whereAccessRuleAllows(memberKeyParameter(me.id), 'update', 'follow_requests', 'r')}`.execute(
      tx.db,
    )
    const [request] = rows
    if (!request) return false
    await sql`select pg_advisory_xact_lock_shared(pair_key(${request.asker_id}, ${me.id}))`.execute(tx.db)
    await sql`select lock_members(${request.asker_id}, ${me.id})`.execute(tx.db)
    const { numAffectedRows = 0n } = await sql`
      update follow_requests set status = 'approved', decided_at = clock_timestamp()
      where id = ${request.id} and status = 'pending'
        ${onlyWhilePublic ? sql`and not ${isPrivateAccount(memberKeyParameter(me.id))}` : sql``}`.execute(
      tx.db,
    )
    if (numAffectedRows === 0n) return false
    await tx.recordAccountChange('followRequests', 'delete', { id: request.id, public_id: requestId }, [
      me.id,
    ])
    await tx.insert(systemActor, 'follows', {
      public_id: request.taken ? generateId() : requestId,
      follower_id: request.asker_id,
      following_id: me.id,
    })
    return true
  })
