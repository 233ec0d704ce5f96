/**
 * `npm run chaos [rounds]`: members work while the server, its PostgreSQL, its disk, its object store and its Redis are
 * killed, paused, filled, cut and drained; then what they were told is held against what is there.
 * `npm run chaos -- 3 --careless` runs PostgreSQL without waiting for its log, and succeeds only if the losses are found: it
 * proves the checker.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Faults, ownFaults, serviceFaults, type Target, withDatabase } from '#tests/chaos/faults.ts'
import { broken, openLedger } from '#tests/chaos/ledger.ts'
import { startServices } from '#tests/chaos/services.ts'
import { mountVolume } from '#tests/chaos/volumes.ts'
import { brokenPictures, startWork, stored } from '#tests/chaos/workload.ts'
import { freePort, makeCluster, type RunningServer, startServer } from '#tests/server.ts'
import { root } from './tools.ts'

const rounds = Number(process.argv[2] ?? 4)
const careless = process.argv.includes('--careless')
const members = 8
const invariants = readFileSync(join(root, 'server/database/invariants.sql'), 'utf8')

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

/** One server's life under one kind of fault after the other. @returns whether all that was told is so */
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
    const mounted = given.volumes ? mountVolume(path, megabytes) : undefined
    atTheEnd(() => mounted?.end())
    return mounted
  }
  const dataDir = join(folder, 'data')
  const database = volume(dataDir, 800)
  await makeCluster(dataDir)
  // The log stays small enough for the volume.
  appendFileSync(join(dataDir, 'postgres/postgresql.conf'), given.settings ?? "max_wal_size = '128MB'\n")
  const pictures = volume(join(dataDir, 'files'), 100)
  const services = given.services ? await startServices() : undefined
  atTheEnd(() => services?.end())
  const env = { PORT: String(await freePort()), LIMITS: 'off', LOG_LEVEL: 'error', ...services?.env }
  const servers: RunningServer[] = []
  const start = async () => {
    const server = await startServer({ dataDir, env })
    servers.push(server)
    return server
  }
  const target: Target = { dataDir, server: await start(), start, volumes: { database, pictures }, services }
  atTheEnd(() => target.server.stop())
  const ledger = openLedger(join(folder, 'ledger.jsonl'))
  const crowd = await startWork(target.server.url, members, ledger)
  atTheEnd(() => crowd.stop())

  /** @throws when the work does not go on: a server that does not come back is a finding too */
  const acknowledged = async (count: number) => {
    const patience = Date.now() + 60_000
    while (ledger.counts.acknowledged < count) {
      if (Date.now() > patience)
        throw new Error(`nothing is acknowledged any more: ${JSON.stringify(ledger.counts)}`)
      await pause(20)
    }
  }

  const own = ownFaults(target)
  const faults: Faults = careless
    ? pick(own, 'T04 kill PostgreSQL')
    : services
      ? { ...pick(own, 'T01 kill the server'), ...serviceFaults(services) }
      : own
  const injected: Record<string, number> = {}
  // What they came with is on the disk also where nobody waits for that.
  if (careless) await pause(3000)
  for (let round = 0; round < rounds; round += 1) {
    for (const [kind, inject] of Object.entries(faults)) {
      // Another moment of the work each time, and never before it goes on again.
      await acknowledged(ledger.counts.acknowledged + members * 4)
      await pause((round * 137) % 400)
      await inject()
      injected[kind] = (injected[kind] ?? 0) + 1
    }
  }
  await acknowledged(ledger.counts.acknowledged + members)
  await crowd.stop()
  ledger.close()

  const { lost, violated, partial } = await withDatabase(target, async (client) => ({
    lost: broken(ledger, await stored(client)),
    violated: (await client.query(invariants)).rows.map((row) => JSON.stringify(row)),
    partial: await brokenPictures(target.server.url, crowd.people, client),
  }))
  const { counts, statuses } = ledger
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

function pick(faults: Faults, kind: string): Faults {
  return Object.fromEntries(Object.entries(faults).filter(([name]) => name === kind))
}
