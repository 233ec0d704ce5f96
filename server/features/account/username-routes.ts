import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { changeUsernameOperation } from '#contract/account/account-settings.ts'
import type { AppContext } from '../../app-context.ts'
import { recordAccountEvent } from '../../auth/account-audit-log.ts'
import { formatIsoTimestamp } from '../../database/iso-timestamp.ts'
import { throwFailure } from '../../errors.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { assertRecentStrongestReauthentication } from './reauthentication.ts'
import { lockAccountUnlessTwoFactorTurnedOn } from './second-factor-sign-in.ts'

const restTime = '14 days'

export function registerUsernameRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, changeUsernameOperation, async ({ username }, ctx) => {
    const { request, me, caller, store } = ctx
    const seen = await assertRecentStrongestReauthentication(ctx)
    await store.transact(async (tx) => {
      await lockAccountUnlessTwoFactorTurnedOn(tx.db, ctx, seen)
      // The second of two concurrent changes waits for this lock and sees the time of the first.
      const { rows } = await sql<{ seconds_left: number }>`
        select coalesce(extract(epoch from a.username_changed_at + ${restTime}::interval - clock_timestamp()), 0)::float8
          as seconds_left
        from accounts a where a.id = ${caller.account.id} for no key update`.execute(tx.db)
      const secondsLeft = rows[0]?.seconds_left ?? 0
      const back = await sql`
        select from held_usernames where account_id = ${caller.account.id} and username_skeleton = username_skeleton(${username})`.execute(
        tx.db,
      )
      // The change may have been a mistake, so returning to the former username is always allowed.
      if (secondsLeft > 0 && back.rows.length === 0)
        throwFailure('username_too_soon', { retryAfter: Math.ceil(secondsLeft) })
      await tx.update(me.id, 'users', me.publicId, { username })
      await sql`update accounts set username_changed_at = clock_timestamp() where id = ${caller.account.id}`.execute(
        tx.db,
      )
      await recordAccountEvent(tx.db, request, caller.account.id, 'username.update')
    })
    return { username }
  })
}

export async function findNextUsernameChangeTime({
  caller,
  database,
}: RequestContext): Promise<string | null> {
  const { rows } = await sql<{ until: Date }>`
    select username_changed_at + ${restTime}::interval as until from accounts
    where id = ${caller.account.id} and username_changed_at + ${restTime}::interval > clock_timestamp()`.execute(
    database.kysely,
  )
  return rows[0] ? formatIsoTimestamp(rows[0].until) : null
}
