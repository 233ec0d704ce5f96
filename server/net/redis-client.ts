/** This module is imported only if REDIS_URL is set. */
import { createClient, type RedisClientType } from 'redis'
import type { ServerLogger } from '../log.ts'

const timeoutMs = 3000

/**
 * The client reconnects until it is destroyed. Until it has reconnected, commands fail at once.
 * @param without the fallback, for the log
 */
export function connectToRedis(url: string | undefined, log: ServerLogger, without: string): RedisClientType {
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: timeoutMs / 3,
    socket: {
      connectTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5000),
    },
  }) as RedisClientType
  let isAway = false
  client.on('error', (error: unknown) => {
    if (!isAway) log.warn({ err: error }, `Redis cannot be reached: ${without}`)
    isAway = true
  })
  client.on('ready', () => {
    if (isAway) log.warn('Redis answers again')
    isAway = false
  })
  // The client retries and logs the cause.
  client.connect().catch(() => {})
  return client
}
