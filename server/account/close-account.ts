/**
 * Closes a member's account: ends its sessions, hands over the groups the member administers, and tells everybody that the member is out of
 * sight.
 */
import { sql } from 'kysely'
import type { AccountRow } from '../auth/account-of-verified-contact.ts'
import { deletePushSubscriptionOfSession, revokeSessions } from '../auth/session.ts'
import { clearSessionCookie } from '../auth/session-cookie.ts'
import {
  hasOpenAccount,
  memberKeyParameter,
  selectAdministeredGroupKeys,
  selectJoinedGroupKeys,
} from '../policy.ts'
import type { RequestContext } from '../route.ts'
import { systemActor } from '../store/actor.ts'
import type { WriteContext } from '../store/write-context.ts'
import { updateCallerAccount } from './caller-account-row.ts'

/**
 * Closes the caller's account. This browser knows, and is rung no more.
 * @param how.forAWhile whether the next sign-in to the product opens it (`auth/account-reopening.ts`); else an operator does
 * @returns the account's row, closed
 */
export async function closeCallerAccount(
  ctx: RequestContext,
  { forAWhile }: { forAWhile: boolean },
): Promise<AccountRow> {
  const { request, reply, caller, config, store, live } = ctx
  const account = await store.transact((tx) => {
    const close = async () => {
      const closed = { status: 'blocked', reopens_on_sign_in: forAWhile } as const
      // First, for its lock: a session that is just beginning ends with the others.
      const account = await updateCallerAccount(tx.db, request, caller, closed, { event: 'user.close' })
      await deletePushSubscriptionOfSession(tx.db, caller.session.id)
      await revokeSessions(tx.db, caller.account.id)
      return account
    }
    return caller.member ? closeAccountHandingOverGroups(tx, caller.member.id, close) : close()
  })
  clearSessionCookie(reply, config, request.foreignOrigin)
  live.notify([])
  return account
}

/**
 * Closes the account by `close`, and hands each of its groups to the oldest member with an open account; a group without one
 * keeps its admin, out of everybody's sight. All the member's groups are locked first, in the order of their keys, so that
 * a concurrent close, leave or handover is seen here, or sees this one.
 */
export async function closeAccountHandingOverGroups<T>(
  tx: WriteContext,
  member: number,
  close: () => Promise<T>,
): Promise<T> {
  await sql`
    select from groups g where g.id in ${selectJoinedGroupKeys(memberKeyParameter(member))} order by g.id for no key update`.execute(
    tx.db,
  )
  const result = await close()
  const { rows } = await sql<{ group: string; oldest: number }>`
    select g.public_id as "group", oldest.user_id as oldest
    from groups g cross join lateral (
      select m.user_id from group_members m join users u on u.id = m.user_id
      where m.group_id = g.id and ${hasOpenAccount(sql.ref('u.id'))}
      order by m.created_at, m.id limit 1
    ) oldest
    where g.id in ${selectAdministeredGroupKeys(memberKeyParameter(member))} order by g.id`.execute(tx.db)
  for (const { group, oldest } of rows) {
    await tx.update(systemActor, 'groups', group, { admin_id: oldest })
  }
  await tx.recordAccessLoss(
    'groups',
    sql`t.id in ${selectAdministeredGroupKeys(memberKeyParameter(member))}`,
    sql`null::bigint[]`,
  )
  await tx.recordAccessLoss('users', sql`t.id = ${member}`, sql`null::bigint[]`)
  return result
}
