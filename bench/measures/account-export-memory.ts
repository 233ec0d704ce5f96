/** Goal P24: the memory during two downloads of a 6 GB export with 5,000 photos. */
import { mkdir, open, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { checkZipWithInstalledReaders } from '#scripts/harness/check-zip-with-installed-readers.ts'
import { startServer } from '#scripts/harness/server-process.ts'
import { queryBenchDatabase } from '../environment/bench-databases.ts'
import { processMemoryBytes } from '../environment/resource-usage.ts'
import type { BenchmarkDefinition, BenchmarkResult } from '../report/results.ts'

const photos = 5000
/** The photos' files are sparse. */
const photoBytes = 1_260_000
const unread = 200
const megabyte = 1024 * 1024
const sampleMs = 50
const credentials = { email: 'hana@juntas.test', password: 'correcta caballo pila grapa' }

type Session = { url: string; cookie: string }

export const accountExportBenchmark: BenchmarkDefinition = {
  goals: ['P24'],
  async run() {
    await using server = await startServer({ by: 'built', env: { LIMITS: 'off' } })
    const session = await signIn(server.url)
    await storePhotos(server.databaseUrl(), join(server.dataDir, 'files'))
    const begunAt = performance.now()
    await call(session, 'POST', '/me/export')
    while ((await call(session, 'GET', '/me/export')).export.state === 'gathering') await pause(200)
    const gatheredMs = performance.now() - begunAt
    const { path } = await call(session, 'POST', '/me/export/key')
    // A first download warms the server up, so that one-time allocations are not measured.
    await download(session, path, null, 'bytes=0-200000000')
    const memory = watchMemory(server.pid)
    const zip = join(server.dataDir, 'copy.zip')
    const downloadsAt = performance.now()
    const [bytes] = await Promise.all([download(session, path, zip), download(session, path, null)])
    const seconds = (performance.now() - downloadsAt) / 1000
    const growth = memory.stop() / megabyte
    const readers = checkZipWithInstalledReaders(zip)
    await rm(zip)
    const result = (what: string, figure: string, target: string, met: boolean | null): BenchmarkResult => ({
      goal: 'P24',
      what,
      figure,
      target,
      met,
    })
    return [
      result(
        `growth of the server’s memory while two download ${(bytes / 1e9).toFixed(1)} GB each`,
        `${growth.toFixed(1)} MB`,
        '< 20 MB',
        growth < 20,
      ),
      result(
        'speed of the two together',
        `${((2 * bytes) / 1e6 / seconds).toFixed(0)} MB/s`,
        'reported',
        null,
      ),
      result(
        `gathering ${photos} photos, including ${unread} are read`,
        `${(gatheredMs / 1000).toFixed(0)} s`,
        'reported',
        null,
      ),
      result('programs that open it', readers.join(', '), 'all that are installed', readers.length > 0),
    ]
  },
}

async function signIn(url: string): Promise<Session> {
  const post = (path: string, body: object) =>
    fetch(`${url}/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await post('/members', { name: 'Hana', username: 'hana', ...credentials })
  const signedIn = await post('/sessions', credentials)
  return { url, cookie: (signedIn.headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
}

async function call({ url, cookie }: Session, method: string, path: string) {
  const answer = await fetch(`${url}/v1${path}`, { method, headers: { cookie } })
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** The original files are filled with zeros. */
async function storePhotos(databaseUrl: string, folder: string): Promise<void> {
  const keys = Array.from(
    { length: photos },
    (_, at) => `${at.toString(36).padStart(8, '0')}${'0'.repeat(24)}`,
  )
  for (const key of keys) {
    const path = join(folder, key.slice(0, 2), key)
    await mkdir(path, { recursive: true })
    await writeFile(join(path, 'original'), '')
    await truncate(join(path, 'original'), photoBytes)
  }
  await queryBenchDatabase(
    databaseUrl,
    `insert into files (public_id, owner_id, state, name, storage_key, announced_size, size, chunks_total, mime_type, signature,
       sha256, width, height, thumbhash, crc32)
     select 'bench' || t.at, u.id, 'ready', 'photo.jpg', t.key, $2, $2, 1, 'image/jpeg', repeat('0', 32), sha256(''), 100, 100,
       '\\x0000000000', case when t.at > $3 then $4::bigint end
     from users u, unnest($1::text[]) with ordinality as t (key, at)`,
    [keys, photoBytes, unread, crc32(Buffer.alloc(photoBytes))],
  )
}

/** Stores only bytes that are not zero. @returns the total size */
async function download(
  { url, cookie }: Session,
  path: string,
  to: string | null,
  range?: string,
): Promise<number> {
  const answer = await fetch(`${url}${path}`, { headers: { cookie, ...(range && { range }) } })
  if (!answer.ok || !answer.body) throw new Error(`the archive answered ${answer.status}`)
  const file = to === null ? null : await open(to, 'w')
  let at = 0
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    if (file && chunk.some((byte) => byte !== 0)) await file.write(chunk, 0, chunk.length, at)
    at += chunk.length
  }
  await file?.truncate(at)
  await file?.close()
  const expected = Number(answer.headers.get('content-length'))
  if (at !== expected) throw new Error(`the archive broke off at ${at} of ${expected} bytes`)
  return at
}

/** @returns stops watching and returns the growth in bytes */
function watchMemory(pid: number): { stop(): number } {
  const first = processMemoryBytes(pid)
  let most = first
  const timer = setInterval(() => {
    most = Math.max(most, processMemoryBytes(pid))
  }, sampleMs)
  return {
    stop() {
      clearInterval(timer)
      return most - first
    },
  }
}
