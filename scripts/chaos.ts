/**
 * `npm run chaos [rounds]`: members work while the server and its PostgreSQL are killed, paused, cut and drained; then what
 * they were told is held against what is there. `npm run chaos -- 3 --careless` runs PostgreSQL without waiting for its log,
 * and succeeds only if the losses are found: it proves the checker.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { readPostmaster } from '#server/database/postmaster.ts'
import { broken, openLedger } from '#tests/chaos/ledger.ts'
import { brokenPictures, startWork, stored } from '#tests/chaos/workload.ts'
import { freePort, makeCluster, type RunningServer, startServer } from '#tests/server.ts'
import { root } from './tools.ts'

const rounds = Number(process.argv[2] ?? 4)
const careless = process.argv.includes('--careless')
const members = 8

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-chaos-'))
await makeCluster(dataDir)
if (careless) {
  const settings = "synchronous_commit = off\nwal_writer_delay = '1s'\n"
  appendFileSync(join(dataDir, 'postgres/postgresql.conf'), settings)
}
const env = { PORT: String(await freePort()), LIMITS: 'off', LOG_LEVEL: 'silent' }
const start = () => startServer({ dataDir, env })
let server: RunningServer = await start()

async function withDatabase<T>(work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: server.databaseUrl() })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

function postmaster(): number {
  const found = readPostmaster(join(dataDir, 'postgres'))
  if (!found) throw new Error('no PostgreSQL runs')
  return found.pid
}

function signal(name: NodeJS.Signals, pids: number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

const backends = () =>
  withDatabase(async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      'select pid from pg_stat_activity where pid <> pg_backend_pid()',
    )
    return rows.map(({ pid }) => pid)
  })

/** @throws when the work does not go on: a server that does not come back is a finding too */
async function acknowledged(count: number): Promise<void> {
  const patience = Date.now() + 60_000
  while (ledger.counts.acknowledged < count) {
    if (Date.now() > patience)
      throw new Error(`nothing is acknowledged any more: ${JSON.stringify(ledger.counts)}`)
    await pause(20)
  }
}

/** Security reference §3.3: T01, T04, T06, T08, T23. */
const faults: Record<string, () => Promise<void>> = {
  async 'kill the server'() {
    await server.kill9()
    server = await start()
  },
  async 'kill PostgreSQL'() {
    process.kill(postmaster(), 'SIGKILL')
    await pause(2000)
  },
  async 'pause PostgreSQL'() {
    const pids = [...(await backends()), postmaster()]
    signal('SIGSTOP', pids)
    await pause(2000)
    signal('SIGCONT', pids)
  },
  async 'cut every connection'() {
    await withDatabase((client) =>
      client.query(`select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`),
    )
  },
  async 'drain the server'() {
    const code = await server.stop()
    if (code !== 0) throw new Error(`the server ended with ${code} when asked to stop`)
    server = await start()
  },
}

const ledger = openLedger(join(dataDir, 'ledger.jsonl'))
const crowd = await startWork(server.url, members, ledger)
const injected: Record<string, number> = {}
// What they came with is on the disk also where nobody waits for that.
if (careless) await pause(3000)
const kinds = careless ? ['kill PostgreSQL'] : Object.keys(faults)
for (let round = 0; round < rounds; round += 1) {
  for (const kind of kinds) {
    const before = ledger.counts.acknowledged
    // Another moment of the work each time, and never before it goes on again.
    await acknowledged(before + members * 4)
    await pause((round * 137) % 400)
    await faults[kind]?.()
    injected[kind] = (injected[kind] ?? 0) + 1
  }
}
const last = ledger.counts.acknowledged
await acknowledged(last + members)
await crowd.stop()
ledger.close()

const invariants = readFileSync(join(root, 'server/database/invariants.sql'), 'utf8')
const [observer] = crowd.people
const { lost, violated, pictures } = await withDatabase(async (client) => ({
  lost: broken(ledger, await stored(client)),
  violated: (await client.query(invariants)).rows.map((row) => JSON.stringify(row)),
  pictures: observer ? await brokenPictures(server.url, observer, client) : [],
}))
await server.stop()
rmSync(dataDir, { recursive: true, force: true })

console.log(
  `Injected: ${Object.entries(injected)
    .map(([kind, times]) => `${kind} ${times}`)
    .join(', ')}`,
)
console.log(
  `Writes: ${ledger.counts.acknowledged} acknowledged, ${ledger.counts.refused} refused, ${ledger.counts.unknown} without an answer that promises anything`,
)
console.log(
  `Statuses: ${[...ledger.statuses].map(([status, times]) => `${status || 'none'} ${times}`).join(', ')}`,
)
console.log(
  `Not as told: ${lost.length}; invariants violated: ${violated.length}; pictures not whole: ${pictures.length}`,
)
for (const line of [...lost, ...violated, ...pictures].slice(0, 20)) console.log(`✗ ${line}`)
const bugs = [...ledger.statuses.keys()].filter((status) => status >= 500 && ![503, 507].includes(status))
if (bugs.length > 0) console.log(`✗ answered ${bugs.join(', ')}`)
const sound = lost.length + violated.length + pictures.length + bugs.length === 0
process.exit(sound !== careless ? 0 : 1)
