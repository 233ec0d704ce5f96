/**
 * What a balancer asks, and whatever starts nodes again: whether this one lives, and whether it may be given requests now.
 * Anybody may ask, so neither says more than that.
 */
import type { FastifyInstance } from 'fastify'
import type { Parts } from './parts.ts'
import { forAnybody } from './route-classes.ts'

/** Milliseconds that one look at the database answers for, because many may ask; and while the next is on its way. */
const answerHolds = 1000
const answerHoldsMeanwhile = 5000

/** @param stopping aborted as soon as a stop was asked for; requests are taken for a while yet */
export function serveHealth(app: FastifyInstance, { database }: Parts, stopping: AbortSignal): void {
  let known = { at: Number.NEGATIVE_INFINITY, answers: false }
  let looking: Promise<boolean> | null = null

  const look = async (): Promise<boolean> => {
    const answers = await database.pool.query('select').then(
      () => true,
      () => false,
    )
    known = { at: performance.now(), answers }
    looking = null
    return answers
  }

  /** A busy node must not look dead: its look waits in the same line as its requests. */
  const databaseAnswers = (): boolean | Promise<boolean> => {
    const age = performance.now() - known.at
    if (age > answerHolds) looking ??= look()
    return age > answerHoldsMeanwhile && looking ? looking : known.answers
  }

  // Asked every second or so by every balancer: only a refusal is worth a line.
  const quiet = { config: { ...forAnybody, log: 'failures' as const } }
  app.get('/health/live', quiet, async (_request, reply) => reply.send({ live: true }))
  app.get('/health/ready', quiet, async (_request, reply) => {
    const because = stopping.aborted ? 'stopping' : (await databaseAnswers()) ? undefined : 'database'
    return reply.status(because ? 503 : 200).send({ ready: because === undefined, because })
  })

  // A connection kept alive would be used for the next request, and be gone by then.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
