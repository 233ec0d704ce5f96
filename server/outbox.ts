/**
 * Where mail and text messages go while no mail server or gateway is configured and this is not production, so that
 * recovery, verification and sign-in codes work out of the box (reading D-10).
 */
import type { FastifyInstance } from 'fastify'
import { fail } from './errors.ts'
import { isOwnMachine } from './limits.ts'
import { isLoopbackName } from './origins.ts'
import { forAnybody } from './route-classes.ts'

export type OutboxEntry = { to: string; subject: string; text: string; kind: string }

export type Outbox = { put(entry: OutboxEntry): void; entries(): readonly OutboxEntry[] }

/** Newest last; the oldest go, because nobody empties it. */
const kept = 500

export function createOutbox(): Outbox {
  const entries: OutboxEntry[] = []
  return {
    put(entry) {
      entries.push(entry)
      if (entries.length > kept) entries.shift()
    },
    entries: () => entries,
  }
}

/**
 * `GET /dev/outbox`, for a person at this machine: the codes in it open accounts. A page of another site whose name was
 * made to point here is refused by the name it asks for.
 */
export function serveOutbox(app: FastifyInstance, outbox: Outbox): void {
  app.get('/dev/outbox', { config: forAnybody }, async (request, reply) => {
    if (!isOwnMachine(request) || !isLoopbackName(request.hostname)) fail('general_access_forbidden')
    return reply.send(outbox.entries())
  })
}
