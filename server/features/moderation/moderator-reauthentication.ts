/**
 * A moderator's re-authentication counts in one session only. To members who are not moderators, the routes
 * answer as if they did not exist.
 */
import { sql } from 'kysely'
import { throwFailure } from '../../errors.ts'
import type { RequestContext } from '../../route.ts'
import {
  assertRecentReauthentication,
  assertRecentStrongestReauthentication,
  reauthenticateWithPassword,
} from '../account/reauthentication.ts'
import { selectCallerAccount } from '../account/update-caller-account.ts'

const dutyLifetime = '30 minutes'

async function selectDuty({ me, caller, database }: RequestContext) {
  const { rows } = await sql<{ moderates: boolean; until: Date | null }>`
    select exists (select from moderators m where m.member_id = ${me.id}) as moderates,
      case when s.moderating_until > clock_timestamp() then s.moderating_until end as until
    from sessions s where s.id = ${caller.session.id}`.execute(database.kysely)
  return rows[0] ?? { moderates: false, until: null }
}

/**
 * @returns when the re-authentication expires
 * @throws Failure case_not_found if the caller is not a moderator, moderation_password_required
 */
export async function assertModeratorReauthenticated(ctx: RequestContext): Promise<Date> {
  const { moderates, until } = await selectDuty(ctx)
  if (!moderates) throwFailure('case_not_found')
  return until ?? throwFailure('moderation_password_required')
}

/**
 * Requires the password, and also a recent second factor if two-factor authentication is on.
 * @throws Failure case_not_found, user_invalid_credentials, user_challenge_required
 */
export async function reauthenticateModerator(ctx: RequestContext, password = ''): Promise<Date> {
  if (!(await selectDuty(ctx)).moderates) throwFailure('case_not_found')
  const { password_hash } = await selectCallerAccount(ctx.database.kysely, ctx.caller)
  await (password_hash === null
    ? assertRecentReauthentication(ctx)
    : reauthenticateWithPassword(ctx, password))
  await assertRecentStrongestReauthentication(ctx)
  const { rows } = await sql<{ moderating_until: Date }>`
    update sessions set moderating_until = clock_timestamp() + ${dutyLifetime}::interval
    where id = ${ctx.caller.session.id} returning moderating_until`.execute(ctx.database.kysely)
  return rows[0]?.moderating_until ?? throwFailure('case_not_found')
}
