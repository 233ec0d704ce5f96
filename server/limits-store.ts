/**
 * Where what was asked is counted: in this process or, with REDIS_URL, in Redis for all nodes together. While Redis does
 * not answer, each node counts for itself: limits get looser by the number of nodes and nobody is refused for it.
 */
import { createHash } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import type { Config } from './config.ts'
import type { Database } from './database/open.ts'
import type { Log } from './log.ts'

/** `points` per `seconds`. */
export type Rule = { points: number; seconds: number }

/** The counts of one rule, by whom they are of. */
export type Counter = Pick<RateLimiterMemory, 'consume' | 'reward' | 'delete'>

export type CounterStore = {
  counter(name: string, rule: Rule): Counter
  close(): void
}

/** Milliseconds that a request may wait for Redis; a Redis that has said nothing for longer than `silence` is given up. */
const patience = 100
const silence = 3000

export async function openCounterStore(given: {
  config: Config
  database: Database
  log: Log
}): Promise<CounterStore> {
  return given.config.limits && given.config.redisUrl ? redisStore(given) : memoryStore
}

const inMemory = (keyPrefix: string, { points, seconds }: Rule) =>
  new RateLimiterMemory({ keyPrefix, points, duration: seconds })

const memoryStore: CounterStore = { counter: inMemory, close() {} }

async function redisStore({ config, database, log }: Parameters<typeof openCounterStore>[0]) {
  const { createClient } = await import('redis')
  const client = createClient({
    url: config.redisUrl,
    disableOfflineQueue: true,
    pingInterval: silence / 3,
    socket: {
      connectTimeout: silence,
      socketTimeout: silence,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5000),
    },
  })
  const unreachable = (error: unknown) => log.debug({ err: error }, 'limits are counted without Redis')
  client.on('error', unreachable)
  client.connect().catch(unreachable)

  // Several Juntas on one Redis count apart: the numbers of accounts mean something in their own database alone.
  const { host, pathname } = new URL(database.directUrl)
  const juntas = createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 12)

  return {
    counter(name: string, { points, seconds }: Rule): Counter {
      const shared = new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: `juntas:${juntas}:${name}`,
        points,
        duration: seconds,
      })
      const insured = {
        limiter: shared,
        timeoutMs: patience,
        insuranceLimiter: inMemory(name, { points, seconds }),
      }
      return new RLWrapperTimeouts(insured)
    },
    close: () => client.destroy(),
  }
}
