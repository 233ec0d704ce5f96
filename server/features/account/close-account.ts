import { sql } from 'kysely'
import { deletePushSubscriptionOfSession, revokeSessions } from '../../auth/session.ts'
import { clearSessionCookie } from '../../auth/session-cookie.ts'
import {
  memberKeyParameter,
  selectAdministeredGroupKeys,
  selectMembershipGroupKeys,
} from '../../policy/index.ts'
import type { RequestContext } from '../../route.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { appointSuccessors } from '../groups/group-succession.ts'
import type { AccountRow } from './give-account-to-verified-owner.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from './second-factor-sign-in.ts'
import { updateCallerAccount } from './update-caller-account.ts'

/**
 * Closes the caller's account. The account still knows this browser, but the browser receives no more push
 * notifications.
 * @param how.forAWhile whether the next sign-in opens the account again; otherwise only an operator can
 * @param seen from `assertRecentCodeIfTwoFactorOn`
 */
export async function closeCallerAccount(
  ctx: RequestContext,
  { forAWhile }: { forAWhile: boolean },
  seen: { on: boolean },
): Promise<AccountRow> {
  const { request, reply, caller, config, store, live } = ctx
  const account = await store.transact((tx) => {
    const close = async () => {
      const closed = { status: 'blocked', reopens_on_sign_in: forAWhile } as const
      // The account is locked first, so that a session that is just starting ends with the others.
      await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)
      const account = await updateCallerAccount(tx.db, request, caller, closed, { event: 'user.close' })
      await deletePushSubscriptionOfSession(tx.db, caller.session.id)
      await revokeSessions(tx.db, caller.account.id)
      return account
    }
    return caller.member ? closeAccountAndAppointSuccessors(tx, caller.member.id, close) : close()
  })
  clearSessionCookie(reply, config, request.foreignOrigin)
  live.notify([])
  return account
}

/** Locks the member's groups in key order, so that concurrent closes, leaves and handovers see each other. */
export async function closeAccountAndAppointSuccessors<T>(
  tx: StoreTransaction,
  member: number,
  close: () => Promise<T>,
  choices: Parameters<typeof appointSuccessors>[2] & {
    chooseSuccessors?: () => Promise<ReadonlyMap<string, number>>
  } = {},
): Promise<T> {
  await sql`
    select from groups g where g.id in ${selectMembershipGroupKeys(memberKeyParameter(member))}
    order by g.id for no key update`.execute(tx.db)
  const { chooseSuccessors, ...given } = choices
  const result = await close()
  // Blocks and restrictions by the member wait for the lock of the account, or have committed before it.
  const successors = await chooseSuccessors?.()
  await appointSuccessors(tx, member, { ...given, ...(successors && { successors }) })
  await tx.recordAccessLoss(
    'groups',
    sql`t.id in ${selectAdministeredGroupKeys(memberKeyParameter(member))}`,
    sql`null::bigint[]`,
  )
  await tx.recordAccessLoss('users', sql`t.id = ${member}`, sql`null::bigint[]`)
  return result
}
