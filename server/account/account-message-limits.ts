/**
 * Limits letters and text messages: each kind by where it goes, all of them by the network that asks, and those to strangers
 * for everybody together (decisions 0123, 0126). What an owner asks for in a browser or network that the account knows is
 * counted apart, so that strangers do not use it up (decision 0136).
 */
import { findOwnerRateLimitKey } from '../auth/known-browsers.ts'
import { throwFailure } from '../errors.ts'
import { getRateLimitSite, toRateLimitAddress } from '../net/rate-limit-address.ts'
import type { RequestContext } from '../route.ts'

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
  const { request, reply, limits, database, log, config } = ctx
  const network = toRateLimitAddress(request.ip)
  const site = getRateLimitSite(request.ip)
  const owner = isVisitorKind(kind) ? await findOwnerRateLimitKey(database.kysely, request, config, to) : null
  if (kind === 'recovery') {
    if (owner) {
      await limits.consume(request, reply, 'letter', { subject: `recovery:${owner}` })
      return true
    }
    // By address and network: what a stranger asks for elsewhere does not count against the owner.
    await limits.consume(request, reply, 'letter', { subject: `recovery:${to}:${network}` })
    await limits.consume(request, reply, 'mail-network', { subject: `recovery:${site}` })
    return limits.spend(request, 'recovery-letter', to)
  }
  const medium = kind.startsWith('phone') ? 'sms' : 'mail'
  await limits.consume(request, reply, 'letter', { subject: `${kind}:${owner ?? to}` })
  await limits.consume(request, reply, `${medium}-network`, { subject: site })
  // Signed in, a caller names any address as a new one, and a refusal must not tell whose it is: every one is a stranger's.
  const member =
    kind !== 'email-change' &&
    (await database.kysely
      .selectFrom('accounts')
      .select('id')
      .where(medium === 'sms' ? 'phone' : 'email', '=', to)
      .where(medium === 'sms' ? 'phone_verified' : 'email_verified', '=', true)
      .executeTakeFirst())
  if (member || (await limits.spend(request, `${medium}-strangers`, 'all'))) return true
  log.warn({ medium }, 'no more is sent to strangers today')
  return isVisitorKind(kind) ? false : throwFailure('general_rate_limit_exceeded', { retryAfter: 3600 })
}
