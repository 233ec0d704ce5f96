/**
 * `GET /metrics` in Prometheus' form, for the operator alone: from this machine, or with `METRICS_TOKEN`. Nothing is measured
 * until somebody asks for the first time, so who does not ask does not pay.
 */
import { timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { fail } from './errors.ts'
import { isOwnMachine } from './limits.ts'
import { isLoopbackName } from './origins.ts'
import type { Parts } from './parts.ts'
import { forAnybody } from './route-classes.ts'
import { hashOf } from './session.ts'

type Meter = {
  answered(request: FastifyRequest, reply: FastifyReply): void
  page(): Promise<string>
  type: string
}

export function serveMetrics(app: FastifyInstance, parts: Parts): void {
  let meter: Promise<Meter> | null = null
  let running: Meter | null = null

  app.addHook('onResponse', async (request, reply) => running?.answered(request, reply))

  app.get('/metrics', { config: { ...forAnybody, log: 'failures' } }, async (request, reply) => {
    if (!mayAsk(request, parts.config.metricsToken)) fail('general_access_forbidden')
    meter ??= createMeter(parts)
    running = await meter
    return reply.type(running.type).send(await running.page())
  })
}

function mayAsk(request: FastifyRequest, token: string | undefined): boolean {
  if (isOwnMachine(request) && isLoopbackName(request.hostname)) return true
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  return token !== undefined && given !== undefined && timingSafeEqual(hashOf(given), hashOf(token))
}

/** Seconds; most answers are milliseconds, an upload's last piece waits for its picture. */
const durations = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

async function createMeter({ database, images, live }: Parts): Promise<Meter> {
  const { collectDefaultMetrics, Gauge, Histogram, Registry } = await import('prom-client')
  const registry = new Registry()
  const registers = [registry]
  // Event-loop lag, CPU, memory, garbage collection, open files.
  collectDefaultMetrics({ register: registry })

  const answers = new Histogram({
    name: 'juntas_http_request_seconds',
    help: 'How long requests took, by what they were about and how they were answered.',
    labelNames: ['about', 'method', 'status'],
    buckets: durations,
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
  gauge('live_listeners', 'Websockets of signed-in members on this node.', () => live.state().listeners)
  gauge(
    'live_telling',
    'Changes that are being told or may have to be told again.',
    () => live.state().telling,
  )
  gauge(
    'live_behind_seconds',
    'How old the position is up to which all changes were told.',
    () => live.state().behind,
  )
  gauge('database_connections', 'Connections in the pool.', () => database.pool.totalCount)
  gauge(
    'database_connections_idle',
    'Connections in the pool that nobody uses.',
    () => database.pool.idleCount,
  )
  gauge('database_waiting', 'Requests that wait for a connection.', () => database.pool.waitingCount)
  gauge('images_waiting', 'Pictures that wait for a process.', () => images.waiting())

  return {
    type: registry.contentType,
    page: () => registry.metrics(),
    answered(request, reply) {
      const labels = { about: about(request), method: request.method, status: reply.statusCode }
      answers.observe(labels, reply.elapsedTime / 1000)
    },
  }
}

/** Few and known: what a stranger types never becomes a series of its own. */
function about({ routeOptions }: FastifyRequest): string {
  const [, version, noun = ''] = (routeOptions.url ?? '').split('/')
  if (version !== 'v1') return ['health', 'metrics', 'dev'].includes(version ?? '') ? 'operator' : 'web'
  return noun === '*' || noun === '' ? 'other' : noun
}
