/**
 * Serves Prometheus metrics on this machine or with `METRICS_TOKEN`. Measuring starts with the first request
 * (docs/topics/how-backups-and-nodes-work.md).
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { hashSecretSha256 } from '../auth/hash-secret.ts'
import { type BackupState, readBackupState } from '../backup/backup-records.ts'
import { readEmailQueueState } from '../email/email-queue.ts'
import { throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { isLocalRequest } from '../net/loopback-ip.ts'
import { noRouteInput, registerRoute } from '../route.ts'
import { runningVersion } from '../version.ts'

type Meter = {
  record(request: FastifyRequest, reply: FastifyReply): void
  page(): Promise<string>
  type: string
}

export function registerMetricsRoute(app: FastifyInstance, context: AppContext): void {
  let meter: Promise<Meter> | null = null
  let ready: Meter | null = null

  app.addHook('onResponse', async (request, reply) => ready?.record(request, reply))

  const metrics = {
    method: 'GET',
    url: '/metrics',
    who: 'visitor',
    limit: [],
    log: 'failures',
    input: noRouteInput,
  } as const
  registerRoute(app, context, metrics, async (_input, { request, reply }) => {
    if (!mayReadMetrics(request, context.config.metricsToken)) throwFailure('general_access_forbidden')
    meter ??= createMeter(context)
    ready = await meter
    return reply.type(ready.type).send(await ready.page())
  })
}

function mayReadMetrics(request: FastifyRequest, token: string | undefined): boolean {
  if (isLocalRequest(request) && isLoopbackName(request.hostname)) return true
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  return (
    token !== undefined &&
    given !== undefined &&
    timingSafeEqual(hashSecretSha256(given), hashSecretSha256(token))
  )
}

/** The last chunk of an upload waits until its image is processed. */
const bucketsSeconds = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

async function createMeter({ database, images, live, notifications }: AppContext): Promise<Meter> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })

  const { version, build } = runningVersion
  new Gauge({
    name: 'juntas_build_info',
    help: 'Always 1; the labels name the version and the sources of this node.',
    labelNames: ['version', 'build'],
    registers,
  }).set({ version, build: build ?? '' }, 1)
  const answers = new Histogram({
    name: 'juntas_http_request_seconds',
    help: 'Duration of requests, by subject and status.',
    labelNames: ['about', 'method', 'status'],
    buckets: bucketsSeconds,
    registers,
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name: `juntas_${name}`,
      help,
      registers,
      collect() {
        this.set(read())
      },
    })
  gauge('live_listeners', 'Websockets of signed-in members on this node.', () => live.state().subscribers)
  gauge(
    'live_deliveries',
    'Changes that are being delivered, or were delivered and may be sent again.',
    () => live.state().delivering,
  )
  gauge(
    'live_behind_seconds',
    'Age of the position up to which all changes were delivered.',
    () => live.state().behind,
  )
  gauge(
    'notifications_behind_seconds',
    'Age of the last round after which every change had its notifications.',
    () => notifications.behind(),
  )
  gauge('database_connections', 'Connections in the pool.', () => database.pool.totalCount)
  gauge('database_connections_idle', 'Idle connections in the pool.', () => database.pool.idleCount)
  gauge('database_waiting', 'Requests that wait for a connection.', () => database.pool.waitingCount)
  let emails = { waiting: 0, failed: 0, oldestSeconds: 0 }
  new Gauge({
    name: 'juntas_emails_waiting',
    help: 'Emails that the mail server has not accepted yet, on all nodes.',
    registers,
    async collect() {
      emails = await readEmailQueueState(database.kysely).catch(() => emails)
      this.set(emails.waiting)
    },
  })
  gauge(
    'emails_failed',
    'Emails of the last 14 days that were refused or expired: npm run emails.',
    () => emails.failed,
  )
  gauge('emails_oldest_seconds', 'Age of the oldest email that waits.', () => emails.oldestSeconds)
  let backups: BackupState = { age: null, failedAt: null, error: null }
  const readBackups = async () => {
    backups = await readBackupState(database.pool).catch(() => backups)
    return backups
  }
  new Gauge({
    name: 'juntas_backup_age_seconds',
    help: 'Age of the newest finished backup; absent without any.',
    registers,
    async collect() {
      const { age } = await readBackups()
      if (age === null) this.reset()
      else this.set(age)
    },
  })
  new Gauge({
    name: 'juntas_backup_failed',
    help: '1 if the last scheduled backup failed.',
    registers,
    async collect() {
      this.set((await readBackups()).failedAt ? 1 : 0)
    },
  })
  gauge('images_waiting', 'Pictures that wait for a process.', () => images.waiting())

  return {
    type: registry.contentType,
    page: () => registry.metrics(),
    record(request, reply) {
      const labels = { about: routeGroup(request), method: request.method, status: reply.statusCode }
      answers.observe(labels, reply.elapsedTime / 1000)
    },
  }
}

/** Unknown paths must not create new series. */
function routeGroup({ routeOptions }: FastifyRequest): string {
  const [, version, noun = ''] = (routeOptions.url ?? '').split('/')
  if (version !== 'v1') return ['health', 'metrics', 'dev'].includes(version ?? '') ? 'operator' : 'web'
  return noun === '*' || noun === '' ? 'other' : noun
}
