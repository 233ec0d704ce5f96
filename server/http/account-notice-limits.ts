import type { FastifyRequest } from 'fastify'
import type { ServerLogger } from '../log.ts'
import { getRateLimitSite } from '../net/rate-limit-address.ts'
import type { RateLimits } from './rate-limits.ts'

type AccountAddress = { email: string; email_verified: boolean }
type NoticeLimit = 'notice' | 'new-device-email' | 'deletion-email'

/**
 * An email to an unverified address also counts as an email to a stranger. Above the limit only the email is
 * omitted, because the event already happened.
 * @param request null for a job
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
  if (request !== null && !(await limits.spend(request, 'email-network', getRateLimitSite(request.ip))))
    return false
  if (await limits.spend(request, 'email-strangers', 'all')) return true
  log.warn({ medium: 'email' }, "today's quota of messages to unverified addresses is used up")
  return false
}

/** All accounts with the same unverified address share this limit. */
export const consumeUnverifiedAddressLimit = async (
  ctx: Parameters<typeof consumeNoticeLimit>[0],
  account: AccountAddress,
  request: FastifyRequest | null,
): Promise<boolean> => account.email_verified || consumeNoticeLimit(ctx, 'notice', account, request)
