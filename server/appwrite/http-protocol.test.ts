import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

test('D06 an unreadable multipart body is answered with a client error', async () => {
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; charset=x',
    `multipart/form-data; boundary=${'b'.repeat(500)}`,
  ]) {
    const answer = await ana.request<{ type: string }>('POST', '/v1/storage/buckets/media/files', 'x', {
      'content-type': type,
    })
    expect([400, 415]).toContain(answer.status)
    expect(answer.body.type).toMatch(/^general_/)
  }
})

test('an unsupported method on a known path is answered with the supported methods', async () => {
  for (const [method, path, offered] of [
    ['DELETE', '/v1/account', 'GET, HEAD, POST'],
    ['POST', '/v1/storage/buckets/media/files/x', 'GET, HEAD, PUT, DELETE'],
    ['PUT', '/v1/databases/main/collections/posts/documents', 'GET, HEAD, POST'],
    ['POST', '/v1/account/sessions/current', 'GET, HEAD, PATCH, DELETE'],
    ['PATCH', '/v1/ping?x=/v1/account', 'GET, HEAD'],
  ] as const) {
    for (const person of [ana, w.visitor]) {
      const answer = await person.request(method, path, {})
      expect(answer, path).toMatchObject({
        status: 405,
        headers: { allow: offered },
        body: { type: 'general_method_not_allowed' },
      })
    }
  }
  for (const method of ['GET', 'POST', 'DELETE']) {
    const answer = await ana.request(method, '/v1/nothing')
    expect(answer).toMatchObject({ status: 404, body: { type: 'general_route_not_found' } })
    expect(answer.headers).not.toHaveProperty('allow')
  }
  // A session id may equal the segment of another route.
  expect(await ana.request('GET', '/v1/account/sessions/email')).toMatchObject({
    status: 404,
    body: { type: 'user_session_not_found' },
  })
})

test('X06 an undecodable URL gets our own error, with every security header', async () => {
  const answer = await w.visitor.request('GET', '/%ff')
  expect(answer.status).toBe(400)
  expect(answer.body).toMatchObject({
    code: 400,
    type: 'general_argument_invalid',
    version: expect.any(String),
  })
  expect(answer.headers).toMatchObject({
    'content-security-policy': expect.stringContaining("default-src 'none'"),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  })
})

test('S13 a page of a foreign or opaque origin cannot write anything', async () => {
  const pages: Record<string, string>[] = [
    { origin: '' },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { referer: 'https://evil.example/' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]
  const save = (headers: Record<string, string>) =>
    ana.request('PATCH', '/v1/account/prefs', { prefs: {} }, headers)
  for (const headers of pages) {
    expect(await save(headers)).toMatchObject({ status: 403, body: { type: 'general_unknown_origin' } })
  }
  for (const site of ['same-origin', 'none'])
    expect((await save({ 'sec-fetch-site': site })).status).toBe(200)
})
