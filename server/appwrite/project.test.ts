import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({
    ALIAS_PROJECT: 'antiguo',
    ALIAS_DATABASE: 'base-vieja',
    ALIAS_BUCKET: 'fotos',
    ALIAS_COLLECTIONS: 'personas=users,publicaciones=posts',
  })
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const upload = async (bucket: string) => {
  const form = new FormData()
  form.set('fileId', 'unique()')
  form.set('file', new File([new Uint8Array(await createJpeg())], 'foto.jpg'))
  const encoded = new Response(form)
  const body = Buffer.from(await encoded.arrayBuffer())
  const headers = {
    'content-type': encoded.headers.get('content-type') ?? '',
    'x-appwrite-project': 'antiguo',
  }
  return ana.request<{ $id: string; bucketId: string }>(
    'POST',
    `/v1/storage/buckets/${bucket}/files`,
    body,
    headers,
  )
}

test('GEN-06 account, documents and files are at one base address, under our ids or those a client has kept', async () => {
  for (const project of ['juntas', 'antiguo']) {
    const account = await ana.request('GET', '/v1/account', undefined, { 'x-appwrite-project': project })
    expect(account.body).toMatchObject({ $id: ana.accountId })
  }
  for (const [database, collection] of [
    ['main', 'users'],
    ['base-vieja', 'personas'],
  ]) {
    const path = `/v1/databases/${database}/collections/${collection}/documents/${ana.id}`
    expect((await ana.request('GET', path)).body).toMatchObject({ $id: ana.id, name: 'Ana' })
  }
  for (const bucket of ['media', 'fotos']) expect(await upload(bucket)).toMatchObject({ status: 201 })
})

test('GEN-06 ids that are nobody’s are refused, each by its own name', async () => {
  const foreign = await ana.request('GET', '/v1/account', undefined, { 'x-appwrite-project': 'otro' })
  expect(foreign).toMatchObject({ status: 404, body: { type: 'project_not_found' } })
  const answers = await Promise.all([
    ana.request('GET', '/v1/databases/otra/collections/users/documents'),
    ana.request('GET', '/v1/databases/main/collections/otra/documents'),
    upload('otro'),
  ])
  for (const answer of answers) expect(answer.status).toBe(404)
})

test('D06 a multipart body that cannot be read is the sender’s fault, and says so', async () => {
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

test('a known address asked in a way it does not offer says which ones it does', async () => {
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
  // A session may be called like an address that offers something else.
  expect(await ana.request('GET', '/v1/account/sessions/email')).toMatchObject({
    status: 404,
    body: { type: 'user_session_not_found' },
  })
})

test('X06 an address that cannot be decoded is refused in our words, with every hardening header', async () => {
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

test('S13 a page without an origin of its own writes nothing', async () => {
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
