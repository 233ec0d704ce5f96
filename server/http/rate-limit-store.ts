/**
 * Counters are in memory, or in Redis for all nodes. If Redis fails, each node counts alone: the limits are
 * looser, but no request fails (decision 0082).
 */
import { createHmac, hkdfSync } from 'node:crypto'
import { RateLimiterMemory, RateLimiterRedis, RLWrapperTimeouts } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { loadInstanceSecret, readInstanceId } from '../database/instance-id.ts'
import type { Database } from '../database/open-database.ts'
import type { ServerLogger } from '../log.ts'

export type RateLimitRule = { points: number; seconds: number }

export type RateLimitCounter = Pick<RateLimiterMemory, 'consume' | 'reward' | 'delete'>

export type RateCounterStore = {
  counter(name: string, rule: RateLimitRule): RateLimitCounter
  close(): void
}

/** If Redis takes longer than this, the request is counted in memory. */
const commandTimeoutMs = 100

export async function openRateCounterStore(given: {
  config: Config
  database: Database
  log: ServerLogger
}): Promise<RateCounterStore> {
  return given.config.limits && given.config.redisUrl ? redisStore(given) : memoryStore
}

const memoryCounter = (keyPrefix: string, { points, seconds }: RateLimitRule) =>
  new RateLimiterMemory({ keyPrefix, points, duration: seconds })

const memoryStore: RateCounterStore = { counter: memoryCounter, close() {} }

async function redisStore({ config, database, log }: Parameters<typeof openRateCounterStore>[0]) {
  const { connectToRedis } = await import('../net/redis-client.ts')
  const client = connectToRedis(config.redisUrl, log, 'each node counts its rate limits alone')
  // Account ids are unique only within a database, and instances may share a Redis.
  const instanceId = await readInstanceId(database)
  const hashKey = Buffer.from(
    hkdfSync('sha256', await loadInstanceSecret(database.kysely), '', 'juntas rate limit keys', 32),
  )
  // Keys contain email and network addresses, which a leaked Redis must not reveal.
  const hashed = (key: string | number) =>
    createHmac('sha256', hashKey).update(String(key)).digest('base64url')

  return {
    counter(name: string, { points, seconds }: RateLimitRule): RateLimitCounter {
      const shared = new RateLimiterRedis({
        storeClient: client,
        useRedisPackage: true,
        rejectIfRedisNotReady: true,
        keyPrefix: `juntas:${instanceId}:${name}`,
        points,
        duration: seconds,
      })
      const options = {
        limiter: shared,
        timeoutMs: commandTimeoutMs,
        insuranceLimiter: memoryCounter(name, { points, seconds }),
      }
      const limiter = new RLWrapperTimeouts(options)
      return {
        consume: (key, ...rest) => limiter.consume(hashed(key), ...rest),
        reward: (key, ...rest) => limiter.reward(hashed(key), ...rest),
        delete: (key, ...rest) => limiter.delete(hashed(key), ...rest),
      }
    },
    close: () => client.destroy(),
  }
}
