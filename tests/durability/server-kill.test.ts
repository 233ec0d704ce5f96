/** T01, T04. Full run: `KILLS=30 npm test -- durability/server-kill`. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import {
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'
import { readPostmaster } from '#server/database/orphaned-postgres.ts'

const kills = Number(process.env.KILLS ?? 2)
const testTimeoutMs = 600_000 + kills * 15_000
const writers = 6

let dataDir: string
let server: RunningServer
beforeEach(async () => {
  dataDir = createNonDurableFolder('juntas-kill-')
  await initializeDatabaseWithoutFsync(dataDir)
  server = await start()
})
afterEach(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = () => startServer({ by: 'npm start', dataDir, env: { LIMITS: 'off', LOG_LEVEL: 'silent' } })

function signUps(url: string, round: number) {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  let going = true
  async function write(writer: number): Promise<void> {
    for (let count = 0; going; count += 1) {
      const email = `ana.${round}.${writer}.${count}@example.org`
      const status = await signUp(url, email)
      if (status === 201) acknowledged.push(email)
      // Null means no response, so the account may or may not exist.
      if (status !== null) statuses.add(status)
    }
  }
  const all = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    acknowledged,
    statuses,
    async stop() {
      going = false
      await all
    },
  }
}

async function signUp(url: string, email: string): Promise<number | null> {
  const body = JSON.stringify({ userId: 'unique()', email, password: 'correcta caballo pila', name: 'Ana' })
  const headers = { 'content-type': 'application/json' }
  try {
    return (await fetch(`${url}/v1/account`, { method: 'POST', headers, body })).status
  } catch {
    return null
  }
}

function killPostgres(): void {
  const postmaster = readPostmaster(join(dataDir, 'postgres'))
  if (!postmaster) throw new Error('no PostgreSQL runs')
  process.kill(postmaster.pid, 'SIGKILL')
}

/** Milliseconds before each kill, the same in every run. */
const momentOf = (round: number) => 50 + ((round * 137) % 400)

async function storedEmails(): Promise<Set<string>> {
  const client = new Client({ connectionString: server.databaseUrl() })
  await client.connect()
  try {
    const { rows } = await client.query<{ email: string }>('select email from accounts')
    return new Set(rows.map(({ email }) => email))
  } finally {
    await client.end()
  }
}

async function expectNothingLost(acknowledged: string[]): Promise<void> {
  const stored = await storedEmails()
  expect(acknowledged.filter((email) => !stored.has(email))).toEqual([])
  expect(acknowledged.length).toBeGreaterThan(kills)
  console.log(`${kills} kills, ${acknowledged.length} acknowledged, all there`)
}

test(
  'T01 after a kill during sign-ups, npm start brings the server back with every acknowledged account',
  async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < kills; round += 1) {
      const work = signUps(server.url, round)
      await expect.poll(() => work.acknowledged.length).toBeGreaterThan(writers)
      await pause(momentOf(round))
      await server.kill9()
      await work.stop()
      acknowledged.push(...work.acknowledged)
      server = await start()
    }
    await expectNothingLost(acknowledged)
  },
  testTimeoutMs,
)

test(
  'T04 if PostgreSQL is killed during sign-ups, members get 503 until the server continues',
  async () => {
    const acknowledged: string[] = []
    for (let round = 0; round < kills; round += 1) {
      const work = signUps(server.url, round)
      await expect.poll(() => work.acknowledged.length).toBeGreaterThan(writers)
      await pause(momentOf(round))
      killPostgres()
      await pause(100)
      const before = work.acknowledged.length
      await expect.poll(() => work.acknowledged.length).toBeGreaterThan(before + writers)
      await work.stop()
      acknowledged.push(...work.acknowledged)
      expect([...work.statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
    }
    await expectNothingLost(acknowledged)
  },
  testTimeoutMs,
)
