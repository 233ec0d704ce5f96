/** Browsers and networks that the owner's account knows have their own quota (decision 0216). */
import type { Kysely } from 'kysely'
import { findOwnerRateLimitKey } from '../../auth/known-browsers.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { getRateLimitSite, toRateLimitAddress } from '../../net/rate-limit-address.ts'
import type { RequestContext } from '../../route.ts'

export type AccountMessageKind =
  | 'recovery'
  | 'magic-url'
  | 'email-code'
  | 'phone-code'
  | 'verification'
  | 'phone-verification'
  | 'email-change'

/** Visitors request these kinds, and must not learn whether an account has the address. */
const visitorKinds: readonly AccountMessageKind[] = ['recovery', 'magic-url', 'email-code', 'phone-code']
const isVisitorKind = (kind: AccountMessageKind): boolean => visitorKinds.includes(kind)

/**
 * @param to the address or number
 * @returns whether to send it; a visitor gets the same response either way
 * @throws Failure 429
 */
export async function consumeAccountMessageLimit(
  ctx: Pick<RequestContext, 'request' | 'reply' | 'limits' | 'database' | 'log' | 'config'>,
  kind: AccountMessageKind,
  to: string,
): Promise<boolean> {
  const { request, reply, limits, database, config } = ctx
  const network = toRateLimitAddress(request.ip)
  const site = getRateLimitSite(request.ip)
  const owner = isVisitorKind(kind) ? await findOwnerRateLimitKey(database.kysely, request, config, to) : null
  if (owner) await limits.consume(request, reply, 'account-message', { subject: `${kind}:${owner}` })
  // Someone with the password can make further browsers known. Beyond a shared quota, known browsers
  // therefore count as strangers.
  const asOwner = owner !== null && (await limits.spend(request, 'owner-message', `${kind}:${to}`))
  const medium = kind.startsWith('phone') ? 'sms' : 'email'
  // A refusal must not reveal whether the entered address has an owner, so every request counts as a
  // stranger's.
  const holder = kind === 'email-change' ? null : await findHolder(database.kysely, medium, to)
  if (kind === 'recovery') {
    if (asOwner) return true
    await limits.consume(request, reply, 'account-message', { subject: `recovery:${to}:${network}` })
    await limits.consume(request, reply, 'email-network', { subject: `recovery:${site}` })
    if (!(await limits.spend(request, 'recovery-email', to))) return false
    // An address without an account receives no email, so it needs no quota.
    return holder === null || holder.verified || spendOnStranger(ctx, medium)
  }
  if (!asOwner) await limits.consume(request, reply, 'account-message', { subject: `${kind}:${to}` })
  await limits.consume(request, reply, `${medium}-network`, { subject: site })
  if (holder?.verified || (await spendOnStranger(ctx, medium))) return true
  return isVisitorKind(kind) ? false : throwFailure('general_rate_limit_exceeded', { retryAfter: 3600 })
}

/**
 * Sign-up emails have a separate quota, so that sign-ups on a shared network do not use up the other emails.
 * @returns whether to send it; otherwise the member signs up without a confirmation email
 */
export async function spendSignUpEmail(
  ctx: Pick<RequestContext, 'request' | 'limits' | 'log'>,
  to: string,
): Promise<boolean> {
  const { request, limits } = ctx
  return (
    (await limits.spend(request, 'account-message', `sign-up:${to}`)) &&
    (await limits.spend(request, 'email-network', `sign-up:${getRateLimitSite(request.ip)}`)) &&
    (await spendOnStranger(ctx, 'email'))
  )
}

async function findHolder(
  db: Kysely<DatabaseTables>,
  medium: 'email' | 'sms',
  to: string,
): Promise<{ verified: boolean } | null> {
  const contact = medium === 'sms' ? 'phone' : 'email'
  const holder = await db
    .selectFrom('accounts')
    .select(`${contact}_verified as verified`)
    .where(contact, '=', to)
    .orderBy(`${contact}_verified`, 'desc')
    .executeTakeFirst()
  return holder ?? null
}

async function spendOnStranger(
  { request, limits, log }: Pick<RequestContext, 'request' | 'limits' | 'log'>,
  medium: 'email' | 'sms',
): Promise<boolean> {
  if (await limits.spend(request, `${medium}-strangers`, 'all')) return true
  log.warn({ medium }, "today's quota of messages to unverified addresses is used up")
  return false
}
