/** Notifies other nodes through Redis; imported only when REDIS_URL is set. */
import { readInstanceId } from '../database/instance-id.ts'
import { connectToRedis } from '../net/redis-client.ts'
import type { OpenNodeBroadcastChannel } from './node-bus.ts'

export const openRedisChannel: OpenNodeBroadcastChannel = ({ config, database, log, heard, missed }) => {
  const without = 'nodes read the outbox by themselves, and signs of writing stay on their node'
  const publisher = connectToRedis(config.redisUrl, log, without)
  const subscriber = connectToRedis(config.redisUrl, log, without)
  // Several instances may share one Redis: member ids are those of one database.
  const named = readInstanceId(database).then((id) => `juntas:${id}:changes`)
  // The client itself subscribes again after a reconnection.
  const subscribeOnce = async () => {
    try {
      await subscriber.subscribe(await named, heard)
      subscriber.off('ready', subscribeOnce)
    } catch (error) {
      log.warn({ err: error }, 'live updates of other nodes could not be subscribed to')
    }
    missed()
  }
  subscriber.on('ready', subscribeOnce)
  subscriber.on('ready', missed)

  return {
    async publish(message) {
      await publisher.publish(await named, message)
    },
    async close() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
