/**
 * A copy of everything outlives the server that makes it: killed by SIGKILL while it gathers, the next process goes on and lists
 * nothing twice; killed while it sends the archive, the download goes on by a range to the same bytes.
 */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import * as contract from '#contract/account-export/account-export.ts'
import {
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'
import { testPassword } from '#tests/support/world.ts'

const photos = 300
/** Bytes of each: sparse files, which read as zeros behind their number and take no room. */
const photoBytes = 1_260_000
/** A lease of half a minute, the pause between looks, and a start on a busy machine. */
const patience = 480_000

let dataDir: string
let server: RunningServer
let hana: MemberClient
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'juntas-export-'))
  await initializeDatabaseWithoutFsync(dataDir)
  server = await start()
  const given = { name: 'Hana', username: 'hana', email: 'hana@juntas.test', password: testPassword }
  hana = await signUpAndSignIn(createHttpTransport(server.url), given)
  await storePhotos()
}, patience)
afterEach(async () => {
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () => startServer({ dataDir, env: { LIMITS: 'off', LOG_LEVEL: 'silent' } })

/** Starts the next server, at which she is signed in as before. */
async function startAgain(): Promise<void> {
  server = await start()
  const { request, call } = createApiClient(createHttpTransport(server.url), hana.cookie)
  Object.assign(hana, { request, call })
}

async function connect(): Promise<Client> {
  const database = new Client({ connectionString: server.databaseUrl() })
  // The next server may restart PostgreSQL.
  database.on('error', () => {})
  await database.connect()
  return database
}

const waitsForTheHolder = `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%crc32%'`

async function query(statement: string, values: unknown[] = []) {
  const database = await connect()
  try {
    return (await database.query(statement, values)).rows
  } finally {
    await database.end()
  }
}

/** Stores originals that each begin with their number, and their rows, whose checksums nobody has made yet. */
async function storePhotos(): Promise<void> {
  const keys = Array.from(
    { length: photos },
    (_, at) => `${at.toString(36).padStart(8, '0')}${'0'.repeat(24)}`,
  )
  for (const [at, key] of keys.entries()) {
    const folder = join(dataDir, 'files', key.slice(0, 2), key)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'original'), `photo ${at}`)
    await truncate(join(folder, 'original'), photoBytes)
  }
  await query(
    `insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type, signature,
       sha256, width, height, thumbhash)
     select 'kill' || t.at, u.id, 'ready', 'photo.jpg', t.key, $2, $2, 1, 'image/jpeg', repeat('0', 32), sha256(''), 100, 100,
       '\\x0000000000'
     from users u, unnest($1::text[]) with ordinality as t (key, at)`,
    [keys, photoBytes],
  )
}

const stateOf = async () => (await hana.call(contract.getExportOperation, {})).export

/** Downloads into a hash from a place on, until so many bytes came or all. @returns how many came */
async function download(
  path: string,
  hash: ReturnType<typeof createHash>,
  { from = 0, until = Number.POSITIVE_INFINITY, etag = '' } = {},
): Promise<{ bytes: number; status: number; etag: string }> {
  const range = { range: `bytes=${from}-`, 'if-range': etag }
  const answer = await fetch(`${server.url}${path}`, {
    headers: { cookie: hana.cookie, ...(from > 0 && range) },
  })
  let bytes = 0
  const reader = answer.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    hash.update(part.value)
    bytes += part.value.length
    if (bytes < until) continue
    // What the process had not sent dies with it: nobody reads on.
    await server.kill9()
    await reader?.cancel().catch(() => {})
    await startAgain()
    break
  }
  return { bytes, status: answer.status, etag: answer.headers.get('etag') ?? '' }
}

test('EXPT-09 EXPT-03 killed while it gathers and each time it sends, the copy lists everything once and arrives as it was', {
  timeout: patience,
}, async () => {
  // Somebody else holds the row of a photo half-way, so that it is not done before the kill.
  const holder = await connect()
  await holder.query(`begin`)
  await holder.query(`select from files where public_id = 'kill150' for no key update`)
  await hana.call(contract.askExportOperation, {})
  await vi.waitFor(async () => expect(await query(waitsForTheHolder)).toHaveLength(1), { timeout: patience })
  await server.kill9()
  await holder.end()
  await startAgain()
  expect(await stateOf()).toMatchObject({ state: 'gathering' })
  await vi.waitFor(async () => expect((await stateOf())?.state).toBe('ready'), { timeout: patience })
  expect(await stateOf()).toMatchObject({ photos, photosRead: photos })
  const [listed] = await query(
    `select count(*)::int as entries, count(distinct name)::int as names, count(distinct file_id)::int as files,
       count(*) filter (where crc32 is null)::int as unread from export_entries`,
  )
  expect(listed).toMatchObject({ names: listed?.entries, files: photos, unread: 0 })

  const { path } = await hana.call(contract.openExportOperation, {})
  const whole = createHash('sha256')
  const { bytes: total, status, etag } = await download(path, whole)
  expect(status).toBe(200)
  expect(total).toBeGreaterThan(photos * photoBytes)
  const pieces = createHash('sha256')
  let at = 0
  for (const cut of [0.1, 0.4, 0.8]) {
    const part = await download(path, pieces, { from: at, until: cut * total - at, etag })
    expect([part.status, part.etag]).toEqual([at === 0 ? 200 : 206, etag])
    at += part.bytes
    expect(at).toBeLessThan(total)
  }
  const rest = await download(path, pieces, { from: at, etag })
  expect([rest.status, at + rest.bytes]).toEqual([206, total])
  expect(pieces.digest('hex')).toBe(whole.digest('hex'))
})
