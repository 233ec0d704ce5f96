/** T12. Full run: `FAULTY_UPLOADS=500`. */
import { createHash } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  encodeMultipartUpload,
} from '#api-client/raw-multipart-upload.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { startServer } from '#scripts/harness/server-process.ts'
import type { Database } from '#server/database/open-database.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { testPassword } from '#tests/support/world.ts'

const uploads = Number(process.env.FAULTY_UPLOADS ?? 30)
const atOnce = 3
const preloaded = pathToFileURL(join(import.meta.dirname, '../../scripts/harness/faulty-file-calls.ts'))

const dataDir = createNonDurableFolder('juntas-single-calls-')
const faultsBegin = join(dataDir, 'faults-begin')
let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(async () => {
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const start = (env: Record<string, string> = {}) =>
  startServer({
    dataDir,
    env: { DATABASE_URL: database.directUrl, LIMITS: 'off', LOG_LEVEL: 'silent', ...env },
  })

const colorOf = (n: number) => `#${(n * 77_777).toString(16).padStart(6, '0').slice(-6)}`

/** @returns null if the server fails or does not answer @throws if it refuses the picture */
async function sent({ request }: MemberClient, n: number): Promise<AppwriteFileResponse | null> {
  const { body, headers } = await encodeMultipartUpload({ bytes: await createJpeg(colorOf(n), 200, 100) })
  const answer = await request('POST', appwriteFilesPath, body, headers).catch(() => null)
  if (answer?.status === 201) return answer.body as AppwriteFileResponse
  if (answer && answer.status < 500) throw new Error(`Upload ${n} answered ${answer.status}: ${answer.raw}`)
  return null
}

test('T12 if opening, syncing, moving or removing files fails at times, every acknowledged upload still exists', {
  timeout: 120_000 + uploads * 4_000,
}, async () => {
  const faulty = await start({ NODE_OPTIONS: `--import=${preloaded}`, FAULTY_FILES_FROM: faultsBegin })
  const given = { name: 'Ana', username: 'ana', email: 'ana@juntas.test', password: testPassword }
  const ana = await signUpAndSignIn(createHttpTransport(faulty.url), given)
  writeFileSync(faultsBegin, '')
  const acknowledged: AppwriteFileResponse[] = []
  for (let n = 0; n < uploads; n += atOnce) {
    const files = await Promise.all(Array.from({ length: atOnce }, (_, one) => sent(ana, n + one)))
    acknowledged.push(...files.filter((file) => file !== null))
  }
  await faulty.kill9()
  console.log(`${acknowledged.length} of ${uploads} uploads were acknowledged`)
  expect(acknowledged.length).toBeGreaterThan(0)
  expect(acknowledged.length).toBeLessThan(uploads)

  const sound = await start()
  const again = createApiClient(createHttpTransport(sound.url), ana.cookie)
  const { rows } = await database.pool.query<{ id: string }>(
    `select public_id as id from files where state in ('ready', 'attached')`,
  )
  expect(rows.map(({ id }) => id)).toEqual(expect.arrayContaining(acknowledged.map(({ $id }) => $id)))
  for (const { id } of rows) {
    const file = await again.request('GET', `${appwriteFilesPath}/${id}`)
    const { status, raw } = await again.request('GET', `${appwriteFilesPath}/${id}/view`)
    const signature = createHash('md5').update(raw).digest('hex')
    expect([status, signature]).toEqual([
      200,
      (file.body as AppwriteFileResponse & { signature: string }).signature,
    ])
    expect((await again.request('GET', `${appwriteFilesPath}/${id}/preview?width=100`)).status).toBe(200)
  }
  expect(await findBrokenDatabaseInvariants(database)).toEqual([])
  expect(await sound.stop()).toBe(0)
})
