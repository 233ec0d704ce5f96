/** This module is imported only if REDIS_URL is set. */
import { connectToRedis } from '../net/redis-client.ts'
import type { OpenNodeBroadcastChannel } from './node-bus.ts'

/** @param instanceId member ids are unique only per database, and instances may share a Redis */
export const redisChannelOf =
  (instanceId: string): OpenNodeBroadcastChannel =>
  ({ config, log, received, missed }) => {
    const channel = `juntas:${instanceId}:changes`
    const publisher = connectToRedis(config.redisUrl, log, 'other nodes find changes in the outbox')
    const subscriber = connectToRedis(config.redisUrl, log, 'this node finds changes in the outbox')
    const subscribe = async () => {
      try {
        await subscriber.subscribe(channel, received)
        // The client resubscribes by itself after reconnecting.
        subscriber.off('ready', subscribe)
      } catch (error) {
        log.warn({ err: error }, "subscribing to other nodes' changes failed")
      }
    }
    subscriber.on('ready', subscribe)
    subscriber.on('ready', missed)

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
