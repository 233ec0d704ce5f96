import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import {
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'
import { findEmbeddedPostgresUrl } from './database/embedded-postgres.ts'
import { countShippedMigrations, migrate } from './database/migrate.ts'
import { createServerLogger } from './log.ts'

let dataDir: string
let server: RunningServer
beforeAll(async () => {
  dataDir = createNonDurableFolder('juntas-main-')
  await initializeDatabaseWithoutFsync(dataDir)
  server = await startServer({ dataDir })
})
afterAll(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const port = () => new URL(server.url).port

async function refusal(env: Record<string, string>): Promise<string> {
  const started = startServer({ env, dataDir: env.DATA_DIR ?? '/nowhere' })
  return started.then(
    () => 'it started',
    (error: Error) => error.message,
  )
}

test('a server on localhost answers on the IPv4 and IPv6 loopback addresses', async () => {
  for (const host of ['127.0.0.1', '[::1]']) {
    const answer = await fetch(`http://${host}:${port()}/v1/ping`)
    expect(await answer.text()).toBe('Pong!')
  }
})

test('the server lists all invalid settings before it does anything else', async () => {
  const said = await refusal({ PORT: '70000', LOG_LEVEL: 'loud', NODE_ENV: 'production' })
  expect(said).toContain('PORT: ')
  expect(said).toContain('LOG_LEVEL: ')
})

test('the server does not start in production without an https address', async () => {
  expect(await refusal({ NODE_ENV: 'production' })).toContain(
    'PUBLIC_URL: production requires an https address',
  )
})

test('a second server on the same data folder reports the conflict in one line', async () => {
  const said = await refusal({ DATA_DIR: dataDir })
  expect(said).toContain(`Another Juntas is running with the data folder ${dataDir}`)
  expect(said).not.toContain('    at ')
})

test('the server reports a database that does not answer in one line', async () => {
  const said = await refusal({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' })
  expect(said).toContain('The database at DATABASE_URL does not answer')
  expect(said).not.toContain('    at ')
})

async function withNewDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: server.databaseUrl() })
  await admin.connect()
  try {
    await admin.query('create database unmigrated')
    const url = new URL(server.databaseUrl())
    url.pathname = '/unmigrated'
    await work(url.href)
  } finally {
    await admin.query('drop database if exists unmigrated with (force)')
    await admin.end()
  }
}

async function query(url: string, statement: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

test('OPS-05 a node with DATABASE_URL and without SECRET_KEY does not start and creates no table', async () => {
  await withNewDatabase(async (url) => {
    const said = await refusal({ DATABASE_URL: url, SECRET_KEY: '' })
    expect(said).toContain('SECRET_KEY is missing: with DATABASE_URL every node needs the same key.')
    expect(await query(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
  })
})

test.each([
  [
    'has another SECRET_KEY',
    `insert into instance (key_fingerprint) values (decode(repeat('00', 16), 'hex'))`,
    'The key in SECRET_KEY is another one',
  ],
  [
    'has another address than its members’ passkeys',
    `with a as (insert into accounts (public_id, email) values ('ana', 'ana@juntas.test') returning id)
     insert into passkeys (public_id, account_id, credential_id, public_key, aaguid, backed_up, rp_id, name)
     select 'key', id, '\\x01', '\\x01', gen_random_uuid(), false, 'juntas.example', 'Phone' from a`,
    'members’ passkeys were made for juntas.example',
  ],
])(
  'OPS-05 an upgraded node that %s does not start and applies no migration',
  async (_, statement, reason) => {
    await withNewDatabase(async (url) => {
      const last = countShippedMigrations() - 1
      await migrate(url, createServerLogger('silent'), undefined, last)
      await query(url, statement)
      expect(await refusal({ DATABASE_URL: url })).toContain(reason)
      expect(await query(url, 'select max(number) as last from migrations')).toEqual([{ last }])
    })
  },
)

test('the server reports a taken port with its setting and leaves no PostgreSQL running', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const address = other.address()
  const taken = typeof address === 'object' && address ? address.port : 0
  const folder = createNonDurableFolder('juntas-taken-')
  await initializeDatabaseWithoutFsync(folder)
  try {
    const said = await refusal({ PORT: String(taken), DATA_DIR: folder })
    expect(said).toContain(
      `Port ${taken} is taken: stop what uses it, or choose another, e.g. PORT=${taken + 1}.`,
    )
    expect(findEmbeddedPostgresUrl(folder)).toBeNull()
  } finally {
    other.close()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('T23 a stopping server finishes the running request, stops PostgreSQL and exits successfully', async () => {
  const body = JSON.stringify({
    userId: 'unique()',
    email: 'ana@example.org',
    password: 'correcta caballo',
    name: 'Ana',
  })
  const signUp = request(`${server.url}/v1/account`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  signUp.flushHeaders()
  // At this point the server is handling the request.
  await once(signUp, 'continue')
  const stopped = server.stop()
  await expect
    .poll(() => fetch(`${server.url}/v1/ping`).then(String, () => 'nobody listens'))
    .toBe('nobody listens')
  const answered = once(signUp, 'response')
  signUp.end(body)
  const [response] = await answered
  expect(response.statusCode).toBe(201)
  response.resume()
  expect(await stopped).toBe(0)
  expect(findEmbeddedPostgresUrl(dataDir)).toBeNull()
  server = await startServer({ dataDir })
})
