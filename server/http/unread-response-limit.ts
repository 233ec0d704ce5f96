/**
 * Unread responses fill the server's memory. Streams are exempt, because the server reads them only as fast
 * as it sends them.
 */
import { finished } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { throwFailure } from '../errors.ts'
import { toRateLimitAddress } from '../net/rate-limit-address.ts'

/** This is enough for several of the largest responses. */
const maxUnreadBytes = 16_000_000
const smallBytes = 16_000

/** Answers 429 above the limit. @param most lower in tests */
export function limitUnreadResponseBytes(app: FastifyInstance, most = maxUnreadBytes): void {
  const unread = new Map<string, number>()
  const keyOf = ({ caller, ip }: FastifyRequest) =>
    caller ? `account:${caller.account.id}` : `address:${toRateLimitAddress(ip)}`
  const add = (key: string, bytes: number) => {
    const total = (unread.get(key) ?? 0) + bytes
    if (total === 0) unread.delete(key)
    else unread.set(key, total)
  }
  const refuse = () =>
    throwFailure('general_rate_limit_exceeded', {
      message: 'Too many answers are unread. Please read them first.',
      retryAfter: 1,
    })

  app.addHook('preHandler', async (request) => {
    if ((unread.get(keyOf(request)) ?? 0) >= most) refuse()
  })
  app.addHook('onSend', async (request, reply, payload) => {
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.byteLength(payload) : 0
    if (bytes <= smallBytes) return
    const key = keyOf(request)
    // Requests that were admitted concurrently are counted one by one.
    if ((unread.get(key) ?? 0) + bytes > most) refuse()
    add(key, bytes)
    finished(reply.raw, () => add(key, -bytes))
  })
}
