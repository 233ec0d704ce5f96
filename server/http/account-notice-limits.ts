/** Limits letters that tell the address of an account of what happened already. */
import type { FastifyRequest } from 'fastify'
import type { ServerLogger } from '../log.ts'
import { getRateLimitSite } from '../net/rate-limit-address.ts'
import type { RateLimits } from './rate-limits.ts'

type AccountAddress = { email: string; email_verified: boolean }
type NoticeLimit = 'notice' | 'new-device-letter' | 'deletion-letter'

/**
 * Counts a letter; one to an address that nobody has proven also as a letter to a stranger, whose it may be. Where they are used up
 * the letter alone is left out: what it tells of has happened.
 * @param request null for a letter of a job, which no network asks for
 * @returns whether to send it
 */
export async function consumeNoticeLimit(
  { limits, log }: { limits: RateLimits; log: ServerLogger },
  limit: NoticeLimit,
  { email, email_verified }: AccountAddress,
  request: FastifyRequest | null,
): Promise<boolean> {
  if (!(await limits.spend(request, limit, email))) return false
  if (email_verified) return true
  if (request !== null && !(await limits.spend(request, 'mail-network', getRateLimitSite(request.ip))))
    return false
  if (await limits.spend(request, 'mail-strangers', 'all')) return true
  log.warn({ medium: 'mail' }, 'no more is sent to strangers today')
  return false
}

/**
 * Counts a letter that has a bound of its own in each account: of accounts that come and go with one address, which nobody has proven,
 * there are more.
 * @returns whether to send it
 */
export const consumeUnprovenAddressLimit = async (
  ctx: Parameters<typeof consumeNoticeLimit>[0],
  account: AccountAddress,
  request: FastifyRequest | null,
): Promise<boolean> => account.email_verified || consumeNoticeLimit(ctx, 'notice', account, request)
