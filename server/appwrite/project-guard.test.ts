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

test('GEN-06 account, documents and files share one base URL, under our ids or the ids of an existing client', async () => {
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

test('GEN-06 an unknown project, database, collection or bucket is refused, each with its own error', async () => {
  const foreign = await ana.request('GET', '/v1/account', undefined, { 'x-appwrite-project': 'otro' })
  expect(foreign).toMatchObject({ status: 404, body: { type: 'project_not_found' } })
  const answers = await Promise.all([
    ana.request('GET', '/v1/databases/otra/collections/users/documents'),
    ana.request('GET', '/v1/databases/main/collections/otra/documents'),
    upload('otro'),
  ])
  for (const answer of answers) expect(answer.status).toBe(404)
})
