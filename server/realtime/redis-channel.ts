/** Notifies other nodes through Redis; imported only when REDIS_URL is set. */
import { createClient } from 'redis'
import type { OpenNodeBroadcastChannel } from './node-bus.ts'

/** Shared safely by several instances on one Redis: a node ignores ids it cannot find after its own position. */
const channel = 'juntas:changes'

export const openRedisChannel: OpenNodeBroadcastChannel = ({ config, log, heard, missed }) => {
  const publisher = createClient({
    url: config.redisUrl,
    // Drops notifications while Redis is away: the outbox is polled anyway.
    disableOfflineQueue: true,
    socket: { connectTimeout: 3000, reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 5000) },
  })
  const subscriber = publisher.duplicate()
  const unreachable = (error: unknown) => log.debug({ err: error }, 'Redis cannot be reached')
  publisher.on('error', unreachable)
  subscriber.on('error', unreachable)
  subscriber.on('ready', missed)
  publisher.connect().catch(unreachable)
  subscriber
    .connect()
    .then(() => subscriber.subscribe(channel, heard))
    .catch(unreachable)

  return {
    async publish(message) {
      await publisher.publish(channel, message)
    },
    async close() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
