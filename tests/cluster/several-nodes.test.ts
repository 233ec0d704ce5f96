/** The nodes use PostgreSQL and a shared disk, or Redis (TEST_REDIS_URL) and a bucket. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, type MemberClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { appwriteFilesPath, sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import { buildDocumentsChannelName } from '#api-client/realtime-urls.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createNoisePng } from '#scripts/harness/image-fixtures.ts'
import { type LocalS3Server, startLocalS3Server } from '#scripts/harness/local-s3-server.ts'
import { createNonDurableFolder } from '#scripts/harness/non-durable-folder.ts'
import { type RunningServer, startServer } from '#scripts/harness/server-process.ts'
import type { Database } from '#server/database/open-database.ts'
import { sanitizeImage } from '#server/images/sanitize-image.ts'
import { extractMessagesFromChanges } from '#tests/support/change-log-position.ts'
import { createUnmigratedTestDatabase } from '../support/database.ts'
import { findBrokenDatabaseInvariants } from '../support/find-broken-invariants.ts'
import { openTestSocket } from '../support/test-socket.ts'
import { testPassword } from '../support/world.ts'

const redisUrl = process.env.TEST_REDIS_URL
const waking: Record<string, string> = redisUrl ? { REDIS_URL: redisUrl } : {}

describe.each([
  ['that wake each other by NOTIFY and share a disk', {}, false],
  [`that wake each other by ${redisUrl ? 'Redis' : 'NOTIFY'} and share a bucket`, waking, true],
])('nodes %s', (_, env, inBucket) => {
  let database: Database
  let bucket: LocalS3Server | null = null
  let folders: string[]
  let one: RunningServer
  let other: RunningServer

  beforeAll(async () => {
    database = await createUnmigratedTestDatabase()
    bucket = inBucket ? await startLocalS3Server() : null
    const folder = () => createNonDurableFolder('juntas-several-')
    const shared = await folder()
    folders = inBucket ? [shared, await folder()] : [shared, shared]
    const start = (dataDir: string | undefined) =>
      startServer({ dataDir, env: { DATABASE_URL: database.directUrl, ...env, ...bucket?.env } })
    ;[one, other] = (await Promise.all(folders.map(start))) as [RunningServer, RunningServer]
  })
  afterAll(async () => {
    await Promise.all([one?.stop(), other?.stop()])
    await bucket?.end()
    await database.close()
    for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  })

  const joins = (name: string) =>
    signUpAndSignIn(createHttpTransport(one.url), {
      name,
      username: name.toLowerCase(),
      email: `${name.toLowerCase()}@juntas.test`,
      password: testPassword,
    })
  const at = (node: RunningServer, { cookie }: MemberClient) =>
    createApiClient(createHttpTransport(node.url), cookie)

  test('nodes that start simultaneously on an empty database migrate the database once and become ready', async () => {
    const { rows } = await database.pool.query<{ name: string }>(
      'select name from migrations order by number',
    )
    const files = readdirSync(join(import.meta.dirname, '../../server/database/migrations')).sort()
    expect(rows.map(({ name }) => name)).toEqual(files)
    for (const { url } of [one, other]) expect((await fetch(`${url}/health/ready`)).status).toBe(200)
  })

  test('each node knows every session, and the end of a session takes effect immediately', async () => {
    const ana = await joins('Ana')
    expect((await at(other, ana).request('GET', '/v1/account')).status).toBe(200)
    expect((await at(other, ana).request('DELETE', '/v1/account/sessions/current')).status).toBe(204)
    expect((await ana.request('GET', '/v1/account')).status).toBe(401)
  })

  test('F11 UPL-10 a node continues an upload that another node began, and both nodes show the picture', async () => {
    const bea = await joins('Bea')
    const bytes = await createNoisePng(1400, 1300)
    const fileId = inBucket ? 'travels-in-bucket' : 'travels'
    const first = await sendRawUpload(bea, { ...sliceUploadChunk(bytes, 0), fileId })
    expect([first.status, first.body.chunksUploaded]).toEqual([201, 1])
    const last = await sendRawUpload(at(other, bea), {
      ...sliceUploadChunk(bytes, 1),
      continues: fileId,
      fileId,
    })
    expect([last.status, last.body.chunksUploaded]).toEqual([201, 2])
    const expected = Buffer.concat(sanitizeImage(bytes).parts)
    for (const node of [one, other]) {
      const view = await at(node, bea).request('GET', `${appwriteFilesPath}/${fileId}/view`)
      expect(view.raw.equals(expected)).toBe(true)
    }
  })

  test('messages reach members on any node, and after one node is killed the other nodes continue without loss', async () => {
    const [cleo, dora] = [await joins('Cleo'), await joins('Dora')]
    const { $id: conversationId } = await cleo.call(openConversationOperation, { personId: dora.id })
    const channels = [buildDocumentsChannelName('messages')]
    const socket = await openTestSocket(other.url, { as: dora, channels })
    await cleo.call(sendMessageOperation, { conversationId, content: 'a través de los nodos' })
    const received = await socket.event('messages', 'create')
    expect(received.payload.content).toBe('a través de los nodos')

    const since = received.position
    await other.kill9()
    expect(await socket.closed).toBe(1006)
    await cleo.call(sendMessageOperation, { conversationId, content: 'mientras tanto' })
    const back = await openTestSocket(one.url, { as: dora, channels })
    const missed = await dora.call(catchUpOperation, { since, collections: 'messages' })
    expect(extractMessagesFromChanges(missed.changes).map(({ content }) => content)).toContain(
      'mientras tanto',
    )
    await cleo.call(sendMessageOperation, { conversationId, content: 'y después' })
    await back.until(
      ({ type, data }) =>
        type === 'event' && (data?.payload as { content?: string } | undefined)?.content === 'y después',
    )
    expect(await findBrokenDatabaseInvariants(database)).toEqual([])
  })
})
