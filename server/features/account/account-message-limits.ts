/**
 * Limits letters and text messages: each kind by where it goes, all of them by the network that asks, and those to strangers
 * for everybody together. What an owner asks for in a browser or network that the account knows is
 * counted apart, so that strangers do not use it up: where the account has proven the address, since anybody signs up
 * with any, and no more than its known browsers and networks have together (decision 0216).
 */
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

/** Asked for by visitors, who must not learn whether an account has the address. */
const visitorKinds: readonly AccountMessageKind[] = ['recovery', 'magic-url', 'email-code', 'phone-code']
const isVisitorKind = (kind: AccountMessageKind): boolean => visitorKinds.includes(kind)

/**
 * Counts a letter before it is written.
 * @param to the address or number
 * @returns whether to send it; a visitor is answered the same either way
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
  if (owner) await limits.consume(request, reply, 'letter', { subject: `${kind}:${owner}` })
  // Whoever knows the password makes one more known browser by each sign-in: beyond what they have together each counts as a stranger's.
  const asOwner = owner !== null && (await limits.spend(request, 'owner-letter', `${kind}:${to}`))
  const medium = kind.startsWith('phone') ? 'sms' : 'mail'
  // Signed in, a caller names any address as a new one, and a refusal must not tell whose it is: every one is a stranger's.
  const holder = kind === 'email-change' ? null : await findHolder(database.kysely, medium, to)
  if (kind === 'recovery') {
    if (asOwner) return true
    // By address and network: what a stranger asks for elsewhere does not count against the owner.
    await limits.consume(request, reply, 'letter', { subject: `recovery:${to}:${network}` })
    await limits.consume(request, reply, 'mail-network', { subject: `recovery:${site}` })
    if (!(await limits.spend(request, 'recovery-letter', to))) return false
    // To an address that nobody has nothing is sent.
    return holder === null || holder.proven || spendOnStranger(ctx, medium)
  }
  if (!asOwner) await limits.consume(request, reply, 'letter', { subject: `${kind}:${to}` })
  await limits.consume(request, reply, `${medium}-network`, { subject: site })
  if (holder?.proven || (await spendOnStranger(ctx, medium))) return true
  return isVisitorKind(kind) ? false : throwFailure('general_rate_limit_exceeded', { retryAfter: 3600 })
}

/**
 * Counts the email that a new account's address is confirmed by. It has quotas of its own: whoever signs up from a shared network leaves
 * the others their emails.
 * @returns whether to send it; where a quota is used up the member signs up without it
 */
export async function spendSignUpEmail(
  ctx: Pick<RequestContext, 'request' | 'limits' | 'log'>,
  to: string,
): Promise<boolean> {
  const { request, limits } = ctx
  return (
    (await limits.spend(request, 'letter', `sign-up:${to}`)) &&
    (await limits.spend(request, 'mail-network', `sign-up:${getRateLimitSite(request.ip)}`)) &&
    (await spendOnStranger(ctx, 'mail'))
  )
}

/** Finds whether an account has the address or number, and has proven it. */
async function findHolder(
  db: Kysely<DatabaseTables>,
  medium: 'mail' | 'sms',
  to: string,
): Promise<{ proven: boolean } | null> {
  const contact = medium === 'sms' ? 'phone' : 'email'
  const holder = await db
    .selectFrom('accounts')
    .select(`${contact}_verified as proven`)
    .where(contact, '=', to)
    .orderBy(`${contact}_verified`, 'desc')
    .executeTakeFirst()
  return holder ?? null
}

/** Counts a letter or message to an address or number that nobody has proven. @returns whether to send it */
async function spendOnStranger(
  { request, limits, log }: Pick<RequestContext, 'request' | 'limits' | 'log'>,
  medium: 'mail' | 'sms',
): Promise<boolean> {
  if (await limits.spend(request, `${medium}-strangers`, 'all')) return true
  log.warn({ medium }, 'no more is sent to strangers today')
  return false
}
