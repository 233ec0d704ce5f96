/** Full run, which writes 3 GB: `PHOTOS=2000 CUTS=20 npm test -- durability/account-export`. */
import { createHash, type Hash } from 'node:crypto'
import { type FileHandle, mkdir, open, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import * as contract from '#contract/data-export/account-export.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { checkZipWithInstalledReaders } from '#scripts/harness/check-zip-with-installed-readers.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import type { Database } from '#server/database/open-database.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { testPassword } from '#tests/support/world.ts'

const photos = Number(process.env.PHOTOS ?? 100)
const cuts = Number(process.env.CUTS ?? 3)
/** The files are sparse. */
const photoBytes = 1_500_000
/** A node's lease lasts half a minute. */
const testTimeoutMs = 600_000 + photos * 500 + cuts * 20_000

let database: Database
let dataDir: string
let nodes: Promise<RunningServer>[]
let hana: MemberClient
beforeEach(async () => {
  database = await createUnmigratedTestDatabase()
  dataDir = createNonDurableFolder('juntas-export-')
  nodes = [start()]
  const given = { name: 'Hana', username: 'hana', email: 'hana@juntas.test', password: testPassword }
  hana = await signUpAndSignIn(createHttpTransport((await node(0)).url), given)
  await publishPhotos()
}, testTimeoutMs)
afterEach(async () => {
  await Promise.all(nodes.map(async (each) => (await each).stop()))
  await database.close()
  await rm(dataDir, { recursive: true, force: true })
})

const start = () =>
  startServer({
    dataDir,
    env: { DATABASE_URL: database.directUrl, LIMITS: 'off', LOG_LEVEL: 'silent' },
  })
const node = (index: number) => nodes[index % nodes.length] as Promise<RunningServer>

async function killAndRestart(index: number): Promise<void> {
  await (await node(index)).kill9()
  nodes[index % nodes.length] = start()
}

const at = async (index: number) => createApiClient(createHttpTransport((await node(index)).url), hana.cookie)

const query = async (statement: string, values: unknown[] = []) =>
  (await database.pool.query(statement, values)).rows

/** Each photo begins with its number and has no checksum. The rows are as after an upload. */
async function publishPhotos(): Promise<void> {
  const keys = Array.from({ length: photos }, (_, n) => `${n.toString(36).padStart(8, '0')}${'0'.repeat(24)}`)
  for (const [n, key] of keys.entries()) {
    const folder = join(dataDir, 'files', key.slice(0, 2), key)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'original'), `photo ${n}`)
    await truncate(join(folder, 'original'), photoBytes)
  }
  await query(
    `insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type, signature,
       sha256, width, height, thumbhash)
     select 'kill' || t.n, u.id, 'ready', 'photo.jpg', t.key, $2, $2, 1, 'image/jpeg', repeat('0', 32), sha256(''), 100, 100,
       '\\x0000000000'
     from users u, unnest($1::text[]) with ordinality as t (key, n)`,
    [keys, photoBytes],
  )
  for (let n = 1; n <= photos; n += 1)
    await hana.call(createPostOperation, {
      ...{ caption: `Una tarde, la ${n}`, location: 'Tonalá', tags: [] },
      imageId: `kill${n}`,
    })
}

const stateOf = async (index: number) =>
  (await (await at(index)).call(contract.getExportOperation, {})).export

const waitsForTheHolder = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock' and query like '%crc32%'`

async function gatherUnderKill(): Promise<void> {
  // The export must not finish before the kill.
  const holder = new Client({ connectionString: database.directUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select from files where public_id = $1 for no key update', [
    `kill${Math.ceil(photos / 2)}`,
  ])
  await (await at(0)).call(contract.requestExportOperation, {})
  await vi.waitFor(async () => expect(await query(waitsForTheHolder)).toHaveLength(1), {
    timeout: testTimeoutMs,
  })
  nodes.push(start())
  await node(1)
  await (await node(0)).kill9()
  await holder.end()
  expect(await stateOf(1)).toMatchObject({ state: 'gathering' })
  await vi.waitFor(async () => expect((await stateOf(1))?.state).toBe('ready'), { timeout: testTimeoutMs })
  nodes[0] = start()
}

type Download = { hash: Hash; at: number; file?: FileHandle; etag: string }

/** @returns the response's status and the process that answered */
async function goOn(
  download: Download,
  path: string,
  index: number,
  until = Number.POSITIVE_INFINITY,
): Promise<{ status: number; pid: number; etag: string }> {
  const { url, pid } = await node(index)
  const range = { range: `bytes=${download.at}-`, 'if-range': download.etag }
  const answer = await fetch(`${url}${path}`, {
    headers: { cookie: hana.cookie, ...(download.at > 0 && range) },
  })
  const reader = answer.body?.getReader()
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    download.hash.update(part.value)
    download.at += part.value.length
    await download.file?.writeFile(part.value)
    if (download.at < until) continue
    // Nobody reads the rest of the response.
    await killAndRestart(index)
    await reader?.cancel().catch(() => {})
    break
  }
  return { status: answer.status, pid, etag: answer.headers.get('etag') ?? '' }
}

async function readEntry(archive: FileHandle, name: string): Promise<Record<string, unknown[]>> {
  const [entry] = await query('select starts_at, size from export_entries where name = $1', [name])
  const header = 30 + Buffer.byteLength(name)
  const { buffer } = await archive.read(Buffer.alloc(entry.size), 0, entry.size, entry.starts_at + header)
  return JSON.parse(buffer.toString())
}

test('EXPT-09 EXPT-03 an export killed while gathering and sending lists every post once and arrives intact', {
  timeout: testTimeoutMs,
}, async () => {
  const begunAt = Date.now()
  await gatherUnderKill()
  const gatheredAt = Date.now()
  const state = await stateOf(1)
  expect(state).toMatchObject({ photos, photosRead: photos })
  const [listed] = await query(
    `select count(*)::int as entries, count(distinct name)::int as names, count(distinct file_id)::int as files,
       count(*) filter (where crc32 is null)::int as unread from export_entries`,
  )
  expect(listed).toMatchObject({ names: listed?.entries, files: photos, unread: 0 })
  const total = state?.bytes ?? 0
  expect(total).toBeGreaterThan(photos * photoBytes)

  const { path } = await (await at(1)).call(contract.createExportDownloadLinkOperation, {})
  const archive = join(dataDir, 'copy.zip')
  await using file = await open(archive, 'wx+')
  const pieces: Download = { hash: createHash('sha256'), at: 0, file, etag: '' }
  const answeredBy = new Set<number>()
  for (let cut = 0; cut <= cuts; cut += 1) {
    // The parts have uneven sizes, so that none begins with a photo.
    const until = cut < cuts ? ((cut + 0.9) / (cuts + 1)) * total : undefined
    const begunWith = pieces.at
    const { status, pid, etag } = await goOn(pieces, path, cut, until)
    expect([status, etag]).toEqual([begunWith === 0 ? 200 : 206, pieces.etag || etag])
    pieces.etag = etag
    answeredBy.add(pid)
    if (until) expect(pieces.at).toBeLessThan(total)
  }
  expect(pieces.at).toBe(total)
  expect(answeredBy.size).toBe(cuts + 1)
  const resumedAt = Date.now()

  const whole: Download = { hash: createHash('sha256'), at: 0, etag: '' }
  expect((await goOn(whole, path, 0)).status).toBe(200)
  expect(whole.at).toBe(total)
  expect(pieces.hash.digest('hex')).toBe(whole.hash.digest('hex'))
  const { posts } = await readEntry(file, 'data/posts.json')
  expect(posts).toHaveLength(photos)
  const readers = checkZipWithInstalledReaders(archive)
  const seconds = (from: number, to: number) => `${((to - from) / 1000).toFixed(0)} s`
  console.log(
    `${photos} posts, ${(total / 1e9).toFixed(2)} GB, ${cuts} cuts: gathered in ${seconds(begunAt, gatheredAt)}, ` +
      `arrived in ${seconds(gatheredAt, resumedAt)}, equal; opened by ${readers.join(', ') || 'no reader'}`,
  )
})
