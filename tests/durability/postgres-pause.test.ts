import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningServer, signalProcesses, startServer } from '#scripts/harness/server-process.ts'
import { readPostmaster } from '#server/database/orphaned-postgres.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ env: { LIMITS: 'off', LOG_LEVEL: 'silent' } })
})
afterAll(() => server.stop())

async function signUp(email: string): Promise<number> {
  const body = JSON.stringify({ userId: 'unique()', email, password: 'correcta caballo pila', name: 'Ana' })
  const headers = { 'content-type': 'application/json' }
  return (await fetch(`${server.url}/v1/account`, { method: 'POST', headers, body })).status
}

/** Must be called while PostgreSQL responds. */
async function processes(): Promise<number[]> {
  const client = new Client({ connectionString: server.databaseUrl() })
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pid from pg_stat_activity')
  await client.end()
  const postmaster = readPostmaster(join(server.dataDir, 'postgres'))
  return [...rows.map(({ pid }) => pid), postmaster?.pid ?? Number.NaN]
}

test('T06 while PostgreSQL is paused members get 503, and afterwards the same server continues', async () => {
  expect(await signUp('ana@example.org')).toBe(201)
  const pids = await processes()
  signalProcesses('SIGSTOP', pids)
  try {
    const names = Array.from({ length: 15 }, (_, index) => `bea.${index}@example.org`)
    expect(new Set(await Promise.all(names.map(signUp)))).toEqual(new Set([503]))
  } finally {
    signalProcesses('SIGCONT', pids)
  }
  await expect.poll(() => signUp(`cleo.${Date.now()}@example.org`)).toBe(201)
  const crowd = Array.from({ length: 15 }, (_, index) => `dora.${index}@example.org`)
  expect(new Set(await Promise.all(crowd.map(signUp)))).toEqual(new Set([201]))
})
