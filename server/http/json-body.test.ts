import { fastify } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  createAppwriteDocumentsClient,
  postContentFixture,
} from '../../tests/support/appwrite-documents-client.ts'
import { registerJsonBodyParser } from './json-body.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

test('SDK-04 a body of [] means a call without parameters, in both APIs', async () => {
  const imageId = await insertUploadedImageRow(w.database, ana)
  const post = await createAppwriteDocumentsClient(ana, 'posts').made({ ...postContentFixture, imageId })
  const path = `/v1/databases/main/collections/posts/documents/${post.$id}`
  expect((await ana.request('PUT', `/v1/posts/${post.$id}/like`, [])).status).toBe(200)
  expect((await ana.request('POST', '/v1/account/jwt', [])).status).toBe(201)
  expect((await ana.request('PATCH', path, [])).body).toMatchObject({ type: 'document_missing_payload' })
  expect((await ana.request('PATCH', '/v1/account/name', [])).body).toMatchObject({
    message: 'Param "name" is not optional.',
  })
  expect((await ana.request('DELETE', path, [])).status).toBe(204)
  expect((await w.visitor.request('POST', '/v1/account/sessions/anonymous', [])).status).toBe(201)
})

test('a body that is a list with items is refused', async () => {
  for (const path of ['/v1/account/sessions/email', '/v1/sessions'])
    expect((await w.visitor.request('POST', path, [1])).status).toBe(400)
})

test('D04 D08 a body with unterminated strings is refused at once, however many quotes it has', async () => {
  const payload = `{"${'\\"'.repeat(120_000)}`
  const headers = { cookie: ana.cookie, 'content-type': 'application/json' }
  const path = `/v1/people/${ana.id}`
  expect((await w.app.inject({ method: 'PATCH', url: path, headers, payload })).statusCode).toBe(400)
})

test('D07 the body of a request to an unknown route is not parsed', async () => {
  const headers = { 'content-type': 'application/json' }
  const send = (url: string) => w.app.inject({ method: 'POST', url, headers, payload: '{"open' })
  expect((await send('/v1/nowhere')).json()).toMatchObject({ code: 404, type: 'general_route_not_found' })
  const wrongMethod = await send('/v1/me')
  expect(wrongMethod.json()).toMatchObject({ code: 405, type: 'general_method_not_allowed' })
  expect(wrongMethod.headers.allow).toBe('GET, HEAD')
})

test('D08 large bodies of an account are parsed one at a time, with other requests in between', async () => {
  const app = fastify()
  app.decorateRequest('caller', null)
  app.addHook('preParsing', async (request) => {
    request.caller = { account: { id: 1 } } as never
  })
  registerJsonBodyParser(app)
  let turns = 0
  let next = setImmediate(function turn() {
    turns += 1
    next = setImmediate(turn)
  })
  const seen: number[] = []
  app.post('/', async () => {
    seen.push(turns)
    return ''
  })
  const payload = { text: 'x'.repeat(20_000) }
  await Promise.all(Array.from({ length: 30 }, () => app.inject({ method: 'POST', url: '/', payload })))
  clearImmediate(next)
  expect(new Set(seen).size).toBe(30)
  await app.close()
})
