/** These are the faults T01–T23 of docs/attacks.md. */
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { readPostmaster } from '#server/database/orphaned-postgres.ts'
import type { RunningServer } from '../harness/server-process.ts'
import type { FaultProxy } from './fault-proxy.ts'
import type { ChaosServices } from './proxied-redis-and-s3.ts'
import type { TmpfsVolume } from './tmpfs-volume.ts'

export type ChaosTarget = {
  dataDir: string
  server: RunningServer
  start(): Promise<RunningServer>
  volumes: { database?: TmpfsVolume; pictures?: TmpfsVolume }
  services?: ChaosServices
}

export type ChaosFaults = Record<string, () => Promise<void>>

/** Duration in milliseconds of each fault that does not end by itself. */
const faultMs = 2000

export async function withServerDatabase<T>(
  { server }: Pick<ChaosTarget, 'server'>,
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

export function createChaosFaults(target: ChaosTarget): ChaosFaults {
  const { volumes } = target
  const faults: ChaosFaults = {
    async 'T01 kill the server'() {
      await target.server.kill9()
      target.server = await target.start()
    },
    async 'T04 kill PostgreSQL'() {
      signal('SIGKILL', [postmaster(target)])
      await pause(faultMs)
    },
    async 'T06 pause PostgreSQL'() {
      const pids = [...(await backends(target)), postmaster(target)]
      signal('SIGSTOP', pids)
      await pause(faultMs)
      signal('SIGCONT', pids)
    },
    // `pg_ctl stop -m fast` sends the same signal.
    async 'T07 stop PostgreSQL fast'() {
      signal('SIGINT', [postmaster(target)])
      await pause(faultMs)
    },
    async 'T08 cut every connection'() {
      await withServerDatabase(target, (client) =>
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
  // PostgreSQL logs to the same volume, so it stops until there is space.
  if (volumes.database) faults['T09 T10 fill the database’s volume'] = fillFor(volumes.database)
  if (volumes.pictures) faults['T11 fill the pictures’ volume'] = fillFor(volumes.pictures)
  return faults
}

export function createServiceFaults({ store, redis }: ChaosServices): ChaosFaults {
  const faults: ChaosFaults = {
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

const fillFor = (volume: TmpfsVolume) => async () => {
  volume.fill()
  await pause(faultMs)
  volume.free()
}

const during = (line: FaultProxy, state: Parameters<FaultProxy['setState']>[0]) => async () => {
  line.setState(state)
  await pause(faultMs)
  line.setState('through')
}

function postmaster({ dataDir }: ChaosTarget): number {
  const found = readPostmaster(join(dataDir, 'postgres'))
  if (!found) throw new Error('no PostgreSQL runs')
  return found.pid
}

const backends = (target: ChaosTarget) =>
  withServerDatabase(target, async (client) => {
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
