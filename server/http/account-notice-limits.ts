/** Limits letters that tell the address of an account of what happened already. */
import type { FastifyRequest } from 'fastify'
import type { ServerLogger } from '../log.ts'
import { getRateLimitSite } from '../net/rate-limit-address.ts'
import type { RateLimits } from './rate-limits.ts'

type NoticeLimit = 'notice' | 'new-device-letter' | 'deletion-letter'

/**
 * Counts a letter: to an address that nobody has proven, which may be a stranger's, as every letter to a stranger. Nobody is refused where they are
 * used up.
 * @param request null for a letter of a job, which no network asks for
 * @returns whether to send it
 */
export async function consumeNoticeLimit(
  { limits, log }: { limits: RateLimits; log: ServerLogger },
  limit: NoticeLimit,
  { email, email_verified }: { email: string; email_verified: boolean },
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
