/**
 * `npm run chaos [rounds]` compares responses with stored data. `--careless` runs without fsync and must find losses,
 * which tests the checker.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  type ChaosFaults,
  type ChaosTarget,
  createChaosFaults,
  createServiceFaults,
  withServerDatabase,
} from './chaos/faults.ts'
import {
  findBrokenPictures,
  readStoredJournalStates,
  startJournalledWorkload,
} from './chaos/journalled-workload.ts'
import { startChaosServices } from './chaos/proxied-redis-and-s3.ts'
import { mountTmpfsVolume } from './chaos/tmpfs-volume.ts'
import { findJournalContradictions, openWriteJournal } from './chaos/write-journal.ts'
import {
  findFreePort,
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from './harness/server-process.ts'
import { projectRootPath } from './run-tool.ts'

const {
  values: { careless },
  positionals: [given = '4'],
} = parseArgs({ allowPositionals: true, options: { careless: { type: 'boolean' } } })
const rounds = Number(given)
if (!(rounds > 0)) throw new Error(`${given} is not a number of rounds`)
const members = 8
const invariants = readFileSync(join(projectRootPath, 'server/database/invariants.sql'), 'utf8')

const sound = careless
  ? !(await play('without waiting for the log', {
      settings: "synchronous_commit = off\nwal_writer_delay = '1s'\n",
    }))
  : [
      await play('on its own', { volumes: true }),
      await play('with Redis and an object store', { services: true }),
    ].every(Boolean)
process.exit(sound ? 0 : 1)

type Given = { settings?: string; volumes?: boolean; services?: boolean }

async function play(scene: string, given: Given): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'juntas-chaos-'))
  const ends = [() => rmSync(folder, { recursive: true, force: true })] as (() => unknown)[]
  try {
    return await playIn(folder, scene, given, (end) => ends.push(end))
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function playIn(
  folder: string,
  scene: string,
  given: Given,
  atTheEnd: (end: () => unknown) => void,
): Promise<boolean> {
  const volume = (path: string, megabytes: number) => {
    const mounted = given.volumes ? mountTmpfsVolume(path, megabytes) : undefined
    atTheEnd(() => mounted?.end())
    return mounted
  }
  const dataDir = join(folder, 'data')
  const database = volume(dataDir, 800)
  await initializeDatabaseWithoutFsync(dataDir)
  // The write-ahead log must fit into the volume.
  appendFileSync(join(dataDir, 'postgres/postgresql.conf'), given.settings ?? "max_wal_size = '128MB'\n")
  const pictures = volume(join(dataDir, 'files'), 100)
  const services = given.services ? await startChaosServices() : undefined
  atTheEnd(() => services?.end())
  const env = { PORT: String(await findFreePort()), LIMITS: 'off', LOG_LEVEL: 'error', ...services?.env }
  const servers: RunningServer[] = []
  const start = async () => {
    const server = await startServer({ dataDir, env })
    servers.push(server)
    return server
  }
  const target: ChaosTarget = {
    dataDir,
    server: await start(),
    start,
    volumes: { database, pictures },
    services,
  }
  atTheEnd(() => target.server.stop())
  const journal = openWriteJournal(join(folder, 'journal.jsonl'))
  const crowd = await startJournalledWorkload(target.server.url, members, journal)
  atTheEnd(() => crowd.stop())

  /** @throws if the server does not recover within a minute */
  const acknowledged = async (count: number) => {
    const deadline = Date.now() + 60_000
    while (journal.counts.acknowledged < count) {
      if (Date.now() > deadline)
        throw new Error(`nothing is acknowledged any more: ${JSON.stringify(journal.counts)}`)
      await pause(20)
    }
  }

  const own = createChaosFaults(target)
  const faults: ChaosFaults = careless
    ? pick(own, 'T04 kill PostgreSQL')
    : services
      ? { ...pick(own, 'T01 kill the server'), ...createServiceFaults(services) }
      : own
  const injected: Record<string, number> = {}
  // Without fsync, the system needs time to flush the initial data.
  if (careless) await pause(3000)
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, inject] of Object.entries(faults)) {
      // Waits until the server acknowledges writes again. The fault comes at a varying moment.
      await acknowledged(journal.counts.acknowledged + members * 4)
      await pause((round * 137) % 400)
      await inject()
      injected[kind] = (injected[kind] ?? 0) + 1
    }
  }
  await acknowledged(journal.counts.acknowledged + members)
  await crowd.stop()
  journal.close()

  const { lost, violated, partial } = await withServerDatabase(target, async (client) => ({
    lost: findJournalContradictions(journal, await readStoredJournalStates(client)),
    violated: (await client.query(invariants)).rows.map((row) => JSON.stringify(row)),
    partial: await findBrokenPictures(target.server.url, crowd.people, client),
  }))
  const { counts, statuses } = journal
  const listed = (of: Iterable<[unknown, number]>) =>
    [...of].map(([what, times]) => `${what} ${times}`).join(', ')
  console.log(`A server ${scene}.`)
  console.log(
    `Injected: ${listed(Object.entries({ ...injected, 'T19 uploads broken off': crowd.brokenOff }))}`,
  )
  console.log(
    `Writes: ${counts.acknowledged} acknowledged, ${counts.refused} refused, ${counts.unknown} without an answer that promises anything`,
  )
  console.log(`Statuses: ${listed([...statuses].map(([status, times]) => [status || 'none', times]))}`)
  console.log(
    `Not as told: ${lost.length}; invariants violated: ${violated.length}; pictures not whole: ${partial.length}`,
  )
  const bugs = [...statuses.keys()].filter((status) => status >= 500 && ![503, 507].includes(status))
  const found = [...lost, ...violated, ...partial, ...bugs.map((status) => `answered ${status}`)]
  for (const line of found.slice(0, 20)) console.log(`✗ ${line}`)
  const said = servers.flatMap((server) => server.printed().split('\n'))
  for (const line of said.filter((line) => line.includes('"type":"general_unknown"')).slice(0, 5))
    console.log(line)
  return found.length === 0
}

function pick(faults: ChaosFaults, kind: string): ChaosFaults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => name === kind))
}
