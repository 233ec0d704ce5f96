import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient } from '#api-client/member-client.ts'
import {
  getCurrentSessionOperation,
  signInOperation,
  signOutOperation,
  signUpOperation,
} from '#contract/account/sign-up-and-sign-in.ts'
import { openConversationOperation } from '#contract/chat/conversations.ts'
import { sendMessageOperation } from '#contract/chat/messages.ts'
import { getFileContentOperation } from '#contract/files/files.ts'
import {
  approveJoinRequestOperation,
  listPendingJoinRequestsOperation,
  requestToJoinOperation,
} from '#contract/groups/group-requests.ts'
import { createGroupOperation, listGroupPostsOperation } from '#contract/groups/groups.ts'
import { apiOperations } from '#contract/index.ts'
import {
  createPostOperation,
  explorePostsOperation,
  getPostOperation,
  likePostOperation,
} from '#contract/posts/posts.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createTestDatabase } from '#tests/support/database.ts'
import { openTestSocket } from '#tests/support/test-socket.ts'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { registeredRoutesByApp } from '../http/route-metadata.ts'
import { createServerLogger } from '../log.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-product-'))
const password = 'correcta caballo pila grapa'
let database: Database
let app: FastifyInstance
beforeAll(async () => {
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost:3000',
    LOG_LEVEL: 'silent',
  })
  database = await createTestDatabase()
  app = await buildApp({ config, log: createServerLogger('silent'), database, appwrite: null })
})
afterAll(async () => {
  await app.close()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function member(name: string) {
  const visitor = createApiClient(app, '')
  const email = `${name}@juntas.test`
  const { $id } = await visitor.call(signUpOperation, { name, username: name, email, password })
  const { headers } = await visitor.ask(signInOperation, { email, password })
  const cookie = (headers['set-cookie'] ?? '').split(';')[0] ?? ''
  return { id: $id, cookie, ...createApiClient(app, cookie) }
}

test('two members sign up and exchange live messages', async () => {
  const [ana, bea] = [await member('ana'), await member('bea')]
  const { $id: conversation } = await ana.call(openConversationOperation, { personId: bea.id })
  const since = (await bea.call(catchUpOperation, {})).position
  const socket = await openTestSocket(app, { as: bea, path: '/v1/live' })
  const sent = await ana.call(sendMessageOperation, { conversationId: conversation, content: 'hola' })
  const isMessage = ({ data }: { data?: Record<string, unknown> }) => data?.collection === 'messages'
  expect((await socket.until(isMessage)).data?.document).toEqual(sent)
  const { changes } = await bea.call(catchUpOperation, { since, collections: 'messages' })
  expect(changes).toMatchObject([{ kind: 'create', document: { $id: sent.$id } }])
  socket.close()
})

const content = { caption: 'Una tarde juntas', location: 'Tonalá', tags: ['sol'] }

test('cora posts a photo that dana sees and likes, and cora sees nothing after she signs out', async () => {
  const [cora, dana] = [await member('cora'), await member('dana')]
  const imageId = await cora.upload(await createJpeg())
  const { $id: postId } = await cora.call(createPostOperation, { ...content, imageId })
  expect((await dana.call(explorePostsOperation, {})).documents).toMatchObject([{ $id: postId }])
  const shown = await dana.ask(getFileContentOperation, { fileId: imageId, width: 320 })
  expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/jpeg'])
  await dana.call(likePostOperation, { postId })
  expect(await cora.call(getPostOperation, { postId })).toMatchObject({ likeCount: 1 })
  await cora.call(signOutOperation, {})
  expect(await cora.refusal(getCurrentSessionOperation, {})).toMatchObject({ code: 401 })
})

test('emma accepts fio into her group, where fio sees the posts', async () => {
  const [emma, fio] = [await member('emma'), await member('fio')]
  const { $id: groupId } = await emma.call(createGroupOperation, { name: 'Tejer' })
  const imageId = await emma.upload(await createJpeg())
  const { $id: postId } = await emma.call(createPostOperation, { ...content, imageId, groupId })
  expect(await fio.refusal(getPostOperation, { postId })).toMatchObject({ code: 403 })
  await fio.call(requestToJoinOperation, { groupId })
  const { documents } = await emma.call(listPendingJoinRequestsOperation, { groupId })
  await emma.call(approveJoinRequestOperation, { requestId: documents[0]?.$id ?? '' })
  expect((await fio.call(listGroupPostsOperation, { groupId })).documents).toMatchObject([{ $id: postId }])
  expect((await fio.ask(getFileContentOperation, { fileId: imageId })).status).toBe(200)
})

test('every route belongs to the contract, the documentation, the health checks or a provider callback', () => {
  const operations = new Set(apiOperations.map(({ path }) => `/v1${path}`))
  const others = (registeredRoutesByApp.get(app) ?? [])
    .map(({ url }) => url)
    .filter((url) => url.startsWith('/v1/') && !operations.has(url))
  const known = [
    '/v1/*',
    '/v1/docs',
    '/v1/docs/api-docs.css',
    '/v1/docs/openapi.json',
    '/v1/health',
    '/v1/health/version',
    // A browser comes back to this route from a provider.
    '/v1/sign-in-providers/:provider/callback',
  ]
  expect([...new Set(others)].sort()).toEqual(known)
})

test.each([
  '/v1/account',
  '/v1/avatars/initials?name=Ana',
  '/v1/databases/main/collections/posts/documents',
  '/v1/ping',
  '/v1/storage/buckets/media/files',
])("the Appwrite API's %s does not exist", async (path) => {
  expect((await createApiClient(app, '').request('GET', path)).status).toBe(404)
})

test('the realtime socket of the Appwrite API does not exist', async () => {
  const failed = await openTestSocket(app, {}).catch(String)
  expect(failed).toContain('404')
})
