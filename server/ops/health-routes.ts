/**
 * These routes are public, so they reveal nothing but liveness, readiness and the version in Appwrite's
 * format.
 */
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { noRouteInput, registerRoute } from '../route.ts'
import { runningVersion } from '../version.ts'

/** A probe is valid for `freshMs`, and for `maxAgeMs` while the next one runs. */
const freshMs = 1000
const maxAgeMs = 5000

export function registerHealthRoutes(app: FastifyInstance, context: AppContext): void {
  const { database, stopping } = context
  let last = { at: Number.NEGATIVE_INFINITY, answers: false }
  let probing: Promise<boolean> | null = null

  const probe = async (): Promise<boolean> => {
    const answers = await database.pool.query('select').then(
      () => true,
      () => false,
    )
    last = { at: performance.now(), answers }
    probing = null
    return answers
  }

  /**
   * On a busy node, the probe waits as requests do. Until it ends, an older result keeps the node from being
   * reported as down.
   */
  const databaseAnswers = (): boolean | Promise<boolean> => {
    const age = performance.now() - last.at
    if (age > freshMs) probing ??= probe()
    return age > maxAgeMs && probing ? probing : last.answers
  }

  // Load balancers poll about every second, so only failures are logged.
  const healthRoute = {
    method: 'GET',
    who: 'visitor',
    limit: [],
    log: 'failures',
    input: noRouteInput,
  } as const
  registerRoute(app, context, { ...healthRoute, url: '/health/live', status: 200 }, async () => ({
    live: true,
  }))
  registerRoute(app, context, { ...healthRoute, url: '/health/ready' }, async (_input, { reply }) => {
    const reason = stopping.aborted ? 'stopping' : (await databaseAnswers()) ? undefined : 'database'
    return reply.status(reason ? 503 : 200).send({ ready: reason === undefined, because: reason })
  })

  const { version } = runningVersion
  registerRoute(app, context, { ...healthRoute, url: '/v1/health', status: 200 }, async () => ({
    name: 'http',
    status: 'pass',
    version,
  }))
  registerRoute(app, context, { ...healthRoute, url: '/v1/health/version', status: 200 }, async () => ({
    version,
  }))

  // After a stop is requested, clients must open new connections.
  app.addHook('onSend', async (_request, reply) => {
    if (stopping.aborted) reply.header('connection', 'close')
  })
}
