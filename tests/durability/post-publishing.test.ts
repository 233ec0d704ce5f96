/** Full run: `KILLS=30 npm test -- durability/post-publishing`. */
import { rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { createPostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import {
  initializeDatabaseWithoutFsync,
  type RunningServer,
  startServer,
} from '#scripts/harness/server-process.ts'

const kills = Number(process.env.KILLS ?? 2)
const photos = 10

let dataDir: string
let server: RunningServer
const start = () => startServer({ by: 'sources', dataDir, env: { LIMITS: 'off', LOG_LEVEL: 'silent' } })
beforeEach(async () => {
  dataDir = createNonDurableFolder('juntas-publishing-')
  await initializeDatabaseWithoutFsync(dataDir)
  server = await start()
})
afterEach(async () => {
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Milliseconds from sending to the kill, the same in every run. */
const momentOf = (round: number) => [0, 2, 4, 6, 8, 10, 12, 15, 20, 30][round % 10] as number

test(
  'PHOTO-10 if the server is killed while photos are published, the post is complete or missing, and a retry makes one post',
  async () => {
    const { cookie } = await signUpAndSignIn(createHttpTransport(server.url), {
      name: 'Ana',
      username: 'ana',
      email: 'ana@juntas.test',
      password: 'correcta caballo pila',
    })
    const member = () => createApiClient(createHttpTransport(server.url), cookie)
    const found = { whole: 0, absent: 0, cutOff: 0, brokenUploads: 0 }
    for (let round = 0; round < kills; round += 1) {
      const postId = `tarde-${round}`
      const ids: string[] = []
      // Every third kill hits an upload.
      const whileUploading = round % 3 === 2
      for (let n = 0; n < photos; n += 1) {
        const picture = await createJpeg('#336699', 300 + n, 200)
        if (whileUploading && n === round % photos) {
          const sent = member()
            .upload(picture)
            .catch(() => undefined)
          await pause(momentOf(round))
          await server.kill9()
          if ((await sent) === undefined) found.brokenUploads += 1
          server = await start()
          // Uploads that are an hour older count as idle.
          await query(
            `update files set updated_at = updated_at - interval '1 hour' where state = 'uploading'`,
          )
        }
        ids.push(await member().upload(picture))
      }
      const content = {
        ...{ postId, caption: 'Una tarde', location: 'Tonalá', tags: [] },
        photos: ids.map((imageId) => ({ imageId, alt: '' })),
      }
      if (!whileUploading) {
        const sent = member()
          .ask(createPostOperation, content)
          .then(({ status }) => status)
          .catch(() => null)
        await pause(momentOf(round))
        await server.kill9()
        const status = await sent
        if (status === null) found.cutOff += 1
        server = await start()
        const stored = await member().ask(getPostOperation, { postId })
        if (status === 201) expect(stored.status).toBe(200)
        if (stored.status === 200) {
          found.whole += 1
          expect(widthsOf(stored.body)).toEqual(ids.map((_, n) => 300 + n))
        } else {
          found.absent += 1
          expect(stored.status).toBe(404)
          expect(await attachedPhotos(ids)).toBe(0)
        }
      }
      const again = await member().ask(createPostOperation, content)
      expect([201, 409]).toContain(again.status)
      expect(widthsOf((await member().ask(getPostOperation, { postId })).body)).toEqual(
        ids.map((_, n) => 300 + n),
      )
    }
    expect(await countPosts()).toBe(kills)
    console.log(`${kills} kills: ${JSON.stringify(found)}`)
  },
  120_000 + kills * 20_000,
)

const widthsOf = (post: unknown) => (post as { photos: { width: number }[] }).photos.map(({ width }) => width)

async function query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
  const client = new Client({ connectionString: server.databaseUrl() })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

async function attachedPhotos(ids: string[]): Promise<number> {
  const [row] = await query<{ count: number }>(
    `select count(*)::int as count from files where public_id = any($1) and state = 'attached'`,
    [ids],
  )
  return row?.count ?? Number.NaN
}

async function countPosts(): Promise<number> {
  const [row] = await query<{ count: number }>('select count(*)::int as count from posts')
  return row?.count ?? Number.NaN
}
