/** LISTEN uses a database connection of its own. */
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import type { OpenNodeBroadcastChannel } from './node-bus.ts'

const channel = 'juntas_changes'
const retryMs = 1000

export const openPostgresNotifyChannel: OpenNodeBroadcastChannel = ({ database, log, received, missed }) => {
  let closed = false
  let listening: Client | null = null

  /** Listens until the connection breaks. */
  const listen = async () => {
    const client = new Client({
      connectionString: database.directUrl,
      application_name: 'juntas live',
      keepAlive: true,
      connectionTimeoutMillis: 3000,
    })
    const broken = new Promise<never>((_, reject) => {
      client.on('error', reject)
      client.on('end', () => reject(new Error('the connection ended')))
    })
    broken.catch(() => {})
    client.on('notification', ({ payload }) => received(payload ?? ''))
    listening = client
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      missed()
      await broken
    } finally {
      await client.end().catch(() => {})
    }
  }

  const keepListening = async () => {
    while (!closed) {
      await listen().catch((error: unknown) => {
        if (!closed) log.debug({ err: error }, 'listening for other nodes was interrupted')
      })
      if (!closed) await pause(retryMs, undefined, { ref: false })
    }
  }
  const ended = keepListening()

  return {
    async publish(message) {
      await database.pool.query('select pg_notify($1, $2)', [channel, message])
    },
    async close() {
      closed = true
      await listening?.end().catch(() => {})
      await Promise.race([ended, pause(retryMs, undefined, { ref: false })])
    },
  }
}
