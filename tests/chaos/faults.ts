/** What is done to a server and to all that it leans on while members work (security reference §3.3). */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { readPostmaster } from '#server/database/postmaster.ts'
import type { RunningServer } from '../server.ts'
import type { ServiceLine } from './service-line.ts'
import type { Services } from './services.ts'
import type { Volume } from './volumes.ts'

/** What there is to break. */
export type Target = {
  dataDir: string
  server: RunningServer
  start(): Promise<RunningServer>
  volumes: { database?: Volume; pictures?: Volume }
  services?: Services
}

export type Faults = Record<string, () => Promise<void>>

/** How long what does not end by itself lasts, in milliseconds. */
const lasting = 2000

export async function withDatabase<T>(
  { server }: Pick<Target, 'server'>,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString: server.databaseUrl() })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** The server and its own PostgreSQL; what a machine does to them. */
export function ownFaults(target: Target): Faults {
  const { volumes } = target
  const faults: Faults = {
    async 'T01 kill the server'() {
      await target.server.kill9()
      target.server = await target.start()
    },
    async 'T04 kill PostgreSQL'() {
      signal('SIGKILL', [postmaster(target)])
      await pause(lasting)
    },
    async 'T06 pause PostgreSQL'() {
      const pids = [...(await backends(target)), postmaster(target)]
      signal('SIGSTOP', pids)
      await pause(lasting)
      signal('SIGCONT', pids)
    },
    // What `pg_ctl stop -m fast` sends.
    async 'T07 stop PostgreSQL fast'() {
      signal('SIGINT', [postmaster(target)])
      await pause(lasting)
    },
    async 'T08 cut every connection'() {
      await withDatabase(target, (client) =>
        client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where pid <> pg_backend_pid() and backend_type = 'client backend'`),
      )
    },
    async 'T23 drain the server'() {
      const code = await target.server.stop()
      if (code !== 0) throw new Error(`the server ended with ${code} when asked to stop`)
      target.server = await target.start()
    },
  }
  // Its log is on the same volume, so that PostgreSQL gives up until there is room again.
  if (volumes.database) faults['T09 T10 fill the database’s volume'] = filling(volumes.database)
  if (volumes.pictures) faults['T11 fill the pictures’ volume'] = filling(volumes.pictures)
  return faults
}

/** What stands elsewhere and is reached over a line. */
export function serviceFaults({ store, redis }: Services): Faults {
  const faults: Faults = {
    'T15 the object store refuses': during(store, 'refused'),
    'T15 the object store is silent': during(store, 'silent'),
    'T15 the object store is slow': during(store, 'slow'),
    'T15 the object store is cut off half-way': during(store, 'cut'),
  }
  if (!redis) return faults
  return {
    ...faults,
    'T13 Redis refuses': during(redis, 'refused'),
    'T13 Redis is silent': during(redis, 'silent'),
    'T13 Redis is slow': during(redis, 'slow'),
    'T13 Redis forgets everything': redis.flush,
  }
}

const filling = (volume: Volume) => async () => {
  volume.fill()
  await pause(lasting)
  volume.free()
}

const during = (line: ServiceLine, state: Parameters<ServiceLine['become']>[0]) => async () => {
  line.become(state)
  await pause(lasting)
  line.become('through')
}

function postmaster({ dataDir }: Target): number {
  const found = readPostmaster(join(dataDir, 'postgres'))
  if (!found) throw new Error('no PostgreSQL runs')
  return found.pid
}

const backends = (target: Target) =>
  withDatabase(target, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  })

function signal(name: NodeJS.Signals, pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}
