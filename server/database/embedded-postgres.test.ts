import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createServerLogger } from '#server/log.ts'
import { type EmbeddedPostgres, findEmbeddedPostgresUrl, startEmbeddedPostgres } from './embedded-postgres.ts'
import { readPostmaster } from './orphaned-postgres.ts'

const log = createServerLogger('silent')
let dataDir: string
let running: EmbeddedPostgres[]

beforeEach(() => {
  dataDir = join(mkdtempSync(join(tmpdir(), 'juntas-embedded-')), 'closed', 'data')
  // PostgreSQL's user cannot enter this folder by its path, as with root's home.
  mkdirSync(dirname(dataDir), { mode: 0o700 })
  running = []
})
afterEach(async () => {
  for (const server of running) await server.stop()
  rmSync(dirname(dirname(dataDir)), { recursive: true, force: true })
})

/** Starts PostgreSQL without disk syncs by default, because most tests do not need them. */
async function start({ durable = false } = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, durable })
  running.push(server)
  return server
}

async function stop(server: EmbeddedPostgres): Promise<void> {
  running = running.filter((other) => other !== server)
  await server.stop()
}

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

const cluster = () => join(dataDir, 'postgres')
function postmasterPid(): number {
  const postmaster = readPostmaster(cluster())
  if (!postmaster) throw new Error('no PostgreSQL runs')
  return postmaster.pid
}

test('rows survive a restart, in UTF-8, with case folding for every script', async () => {
  const first = await start()
  await ask(first.url, `create table notes as select 'Ñandú — 女' as text`)
  await stop(first)
  const second = await start()
  expect(await ask(second.url, 'select lower(text) as text from notes')).toEqual([{ text: 'ñandú — 女' }])
})

test('the embedded PostgreSQL syncs to disk, opens no network port and admits only its own role with the password', async () => {
  const { url } = await start({ durable: true })
  expect(
    await ask(
      url,
      `select current_setting('fsync') as fsync, current_setting('listen_addresses') as network`,
    ),
  ).toEqual([{ fsync: 'on', network: '' }])
  const wrong = new URL(url)
  wrong.password = 'guess'
  await expect(ask(wrong.href, 'select 1')).rejects.toThrow('password authentication failed')
  const superuser = new URL(url)
  superuser.username = 'postgres'
  await expect(ask(superuser.href, 'select 1')).rejects.toThrow('pg_hba.conf')
  expect(await ask(url, 'select rolsuper as super from pg_roles where rolname = current_user')).toEqual([
    { super: false },
  ])
})

test('other accounts of the machine cannot read the database files, and PostgreSQL never runs as root', async () => {
  const { url } = await start()
  const socketFolder = new URL(url).searchParams.get('host') ?? ''
  expect(statSync(join(dataDir, 'postgres-password')).mode & 0o077).toBe(0)
  expect(statSync(cluster()).mode & 0o077).toBe(0)
  expect(statSync(socketFolder).mode & 0o077).toBe(0)
  expect(statSync(cluster()).uid).not.toBe(0)
})

test('a second server on the same data folder is refused with one sentence and harms nothing', async () => {
  const first = await start()
  await expect(startEmbeddedPostgres({ dataDir, log, durable: false })).rejects.toThrow(
    `Another Juntas is running with the data folder ${dataDir}`,
  )
  expect(await ask(first.url, 'select 1 as fine')).toEqual([{ fine: 1 }])
})

test('a command finds the running database, and finds no database after a stop', async () => {
  const server = await start()
  expect(findEmbeddedPostgresUrl(dataDir)).toBe(server.url)
  await stop(server)
  expect(findEmbeddedPostgresUrl(dataDir)).toBeNull()
})

test('a killed PostgreSQL restarts at the same address', async () => {
  const { url } = await start({ durable: true })
  await ask(url, 'create table kept as select 1 as one')
  const killed = postmasterPid()
  process.kill(killed, 'SIGKILL')
  const revived = () => readPostmaster(cluster())?.pid !== killed && findEmbeddedPostgresUrl(dataDir)
  await expect.poll(revived).toBe(url)
  expect(await ask(url, 'select * from kept')).toEqual([{ one: 1 }])
})

test('the next start stops the PostgreSQL of a killed server and removes its socket folder', async () => {
  const lost = await startInAnotherProcess()
  lost.process.kill('SIGKILL')
  await once(lost.process, 'exit')
  const orphan = postmasterPid()
  expect(findEmbeddedPostgresUrl(dataDir)).toBe(lost.url)
  const { url } = await start()
  expect(postmasterPid()).not.toBe(orphan)
  expect(await ask(url, 'select * from kept')).toEqual([{ one: 1 }])
  expect(existsSync(dirname(new URL(lost.url).searchParams.get('host') ?? ''))).toBe(false)
})

async function startInAnotherProcess() {
  const code = `
    import { startEmbeddedPostgres } from '#server/database/embedded-postgres.ts'
    import { createServerLogger } from '#server/log.ts'
    import { Client } from 'pg'
    const { url } = await startEmbeddedPostgres({ dataDir: process.env.DATA, log: createServerLogger('silent'), durable: false })
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query('create table kept as select 1 as one')
    console.log(url)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: { ...process.env, DATA: dataDir },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [printed] = await once(child.stdout, 'data')
  return { process: child, url: String(printed).trim() }
}

test('a postmaster.pid that names an unrelated process is ignored', async () => {
  const server = await start()
  const written = readFileSync(join(cluster(), 'postmaster.pid'), 'utf8')
  await stop(server)
  writeFileSync(join(cluster(), 'postmaster.pid'), written.replace(/^\d+/, String(process.pid)))
  expect(findEmbeddedPostgresUrl(dataDir)).toBeNull()
  const again = await start()
  expect(await ask(again.url, 'select 1 as up')).toEqual([{ up: 1 }])
})

test('after an interrupted first start, the next start begins again', async () => {
  mkdirSync(`${cluster()}.new/base`, { recursive: true })
  writeFileSync(`${cluster()}.new/PG_VERSION`, '18\n')
  const { url } = await start()
  expect(await ask(url, 'select 1 as up')).toEqual([{ up: 1 }])
  expect(existsSync(`${cluster()}.new`)).toBe(false)
})

test('a data folder of another major version is refused with an explanation and stays unchanged', async () => {
  await stop(await start())
  writeFileSync(join(cluster(), 'PG_VERSION'), '15\n')
  await expect(startEmbeddedPostgres({ dataDir, log, durable: false })).rejects.toThrow(
    'was made by PostgreSQL 15',
  )
})

test("a failed start reports PostgreSQL's own message", async () => {
  await stop(await start())
  writeFileSync(join(cluster(), 'postgresql.conf'), 'shared_buffers = plenty\n')
  await expect(startEmbeddedPostgres({ dataDir, log, durable: false })).rejects.toThrow(
    /postgresql\.conf|did not start/,
  )
})
