/** Connects to Redis; imported only when REDIS_URL is set. */
import { createClient, type RedisClientType } from 'redis'
import type { ServerLogger } from '../log.ts'

/** How long a connection may be silent before it is replaced. */
const timeoutMs = 3000

/**
 * Creates a client that connects until it is destroyed. What is sent while Redis is away fails at once.
 * @param without what the product does while Redis is away, for the log
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
  // The client goes on trying; its listener has logged why.
  client.connect().catch(() => {})
  return client
}
