import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pickComparableResponse } from '#api-client/member-client.ts'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  appwriteDocumentsPath,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  formatRefusalText,
} from '../../../tests/support/appwrite-documents-client.ts'

const collections = [
  'users',
  'posts',
  'comments',
  'saves',
  'conversations',
  'messages',
  'follows',
  'groups',
  'groupMembers',
  'groupRequests',
]

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({
    ALIAS_DATABASE: '65f0database',
    ALIAS_COLLECTIONS: '65f0users=users,65f0posts=posts,group_members=groupMembers,65f0likes=post_likes',
  })
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

describe('DATA-01 DATA-10 DATA-11 SDK-11 the collections', () => {
  test('all documents of a collection have the same shape, and each document is read back by its id', async () => {
    const knit = await createGroupWithMembers(ana, bea)
    const post = await createPostInGroup(w.database, ana, null)
    await createAppwriteDocumentsClient(ana, 'saves').made({ post })
    await createAppwriteDocumentsClient(ana, 'comments').made({ postId: post, content: 'Qué bonito' })
    await createAppwriteDocumentsClient(ana, 'follows').made({ followingId: bea.id })
    const conversation = await createAppwriteDocumentsClient(ana, 'conversations').made({
      participants: [ana.id, bea.id],
    })
    await createAppwriteDocumentsClient(ana, 'messages').made({
      conversationId: conversation.$id,
      content: 'hola',
    })
    const cleo = await w.join('Cleo')
    await createAppwriteDocumentsClient(cleo, 'groupRequests').made({ groupId: knit })
    for (const collection of collections) {
      const { status, body, headers } = await createAppwriteDocumentsClient(ana, collection).list()
      expect(status).toBe(200)
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers['cache-control']).toBe('no-store')
      expect(Object.keys(body)).toEqual(['total', 'documents'])
      expect(body.total).toBe(body.documents.length)
      const [document] = body.documents
      expect(document).toMatchObject({
        $id: expect.stringMatching(/^[A-Za-z0-9]/),
        $createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
        $updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00$/),
        $permissions: expect.arrayContaining([`read("user:${ana.accountId}")`]),
        $databaseId: 'main',
        $collectionId: collection,
      })
      const read = await createAppwriteDocumentsClient(ana, collection).get(String(document?.$id))
      expect(read.body.$id).toBe(document?.$id)
    }
  })

  test('PERM-01 a visitor gets 401 from every call on any collection, even one that does not exist', async () => {
    for (const collection of [...collections, 'nope']) {
      const documents = createAppwriteDocumentsClient(w.visitor, collection)
      for (const answer of [
        await documents.list(),
        await documents.get('x'),
        await documents.patch('x', { name: 'x' }),
        await documents.remove('x'),
        await documents.create({ name: 'x' }),
      ]) {
        expect(formatRefusalText(answer)).toBe('401 general_unauthorized_scope')
      }
    }
    const { body } = await createAppwriteDocumentsClient(w.visitor, 'posts').list('bogus')
    expect(body.message).toBe('User (role: guests) missing scope (documents.read)')
  })

  test('A26 A30 every other collection, database or bucket is answered with the same 404', async () => {
    const unknown = ['secret', 'nope', '__proto__', 'constructor', 'sessions', 'tokens', 'accounts', 'files']
    const more = ['post_likes', 'changes', 'deleted_rows', 'group_requests', 'Users', '65f0likes', 'users%00']
    const aliased = [...collections, 'group_members']
    const { rows } = await w.database.pool.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
    )
    const tables = rows.map(({ name }) => name).filter((name) => !aliased.includes(name))
    expect(tables).toEqual(expect.arrayContaining(['sessions', 'tokens', 'changes', 'post_likes']))
    const asked = [...unknown, ...more, ...tables, 'outbox', 'audit_log', 'blocks'].map((name) =>
      appwriteDocumentsPath(name),
    )
    for (const database of ['other', '__proto__', 'MAIN'])
      asked.push(appwriteDocumentsPath('users', database))
    const first = await ana.request('GET', appwriteDocumentsPath('secret'))
    expect(first).toMatchObject({ status: 404, body: { type: 'collection_not_found' } })
    for (const path of asked)
      expect(pickComparableResponse(await ana.request('GET', path)), path).toEqual(
        pickComparableResponse(first),
      )
    const bucket = (name: string) => ana.request('GET', `/v1/storage/buckets/${name}/files`)
    const other = await bucket('other')
    expect(other).toMatchObject({ status: 404, body: { type: 'storage_bucket_not_found' } })
    for (const name of ['__proto__', 'Media', 'originals'])
      expect(pickComparableResponse(await bucket(name))).toEqual(pickComparableResponse(other))
  })

  test('an id is percent-decoded once, and every missing document gets the same response', async () => {
    const path = appwriteDocumentsPath('users')
    const encoded = [...ana.id].map((char) => `%${char.charCodeAt(0).toString(16)}`).join('')
    expect((await ana.request('GET', `${path}/${encoded}`)).status).toBe(200)
    const missing = await ana.request('GET', `${path}/nothing`)
    for (const id of ['%2e%2e%2fposts', '__proto__', `${ana.id}%00`, '%F0%9F%91%A9', 'x'.repeat(100)]) {
      const answer = await ana.request('GET', `${path}/${id}`)
      expect(answer.raw.toString()).toBe(missing.raw.toString())
    }
    expect((await ana.request('GET', `${path}/%zz`)).status).toBe(400)
  })
})

describe('an existing client keeps its own ids', () => {
  test('an alias reads and writes the same documents, and its responses contain the ids of the alias', async () => {
    const post = await createPostInGroup(w.database, ana, null)
    const aliased = createAppwriteDocumentsClient(ana, '65f0posts', { database: '65f0database' })
    const { body } = await aliased.get(post)
    expect(body).toMatchObject({
      $id: post,
      $databaseId: '65f0database',
      $collectionId: '65f0posts',
      creator: { $id: ana.id, $databaseId: '65f0database', $collectionId: '65f0users' },
    })
    const changed = await aliased.patch(post, { caption: 'Con otro nombre' })
    expect(changed.body.$collectionId).toBe('65f0posts')
    expect((await createAppwriteDocumentsClient(ana, 'posts').get(post)).body).toMatchObject({
      caption: 'Con otro nombre',
      $databaseId: 'main',
      $collectionId: 'posts',
    })
    expect((await createAppwriteDocumentsClient(ana, 'group_members').list()).status).toBe(200)
  })
})

describe('bodies', () => {
  const create = (body: unknown) =>
    bea.request<{ type: string; field?: string }>('POST', appwriteDocumentsPath('groups'), body)

  test('attributes can be sent as an object or as JSON text', async () => {
    const asText = await create({ documentId: 'unique()', data: JSON.stringify({ name: 'Por texto' }) })
    expect(asText).toMatchObject({ status: 201, body: { name: 'Por texto' } })
  })

  test.each([
    ['no id', { data: { name: 'x' } }, '400 general_argument_invalid'],
    ['no data', { documentId: 'unique()' }, '400 document_missing_data'],
    ['empty data', { documentId: 'unique()', data: {} }, '400 document_missing_data'],
    ['a list', { documentId: 'unique()', data: [] }, '400 general_argument_invalid'],
    ['broken text', { documentId: 'unique()', data: '{' }, '400 general_argument_invalid'],
    ['a number', { documentId: 'unique()', data: 5 }, '400 general_argument_invalid'],
    ['text of a list', { documentId: 'unique()', data: '[]' }, '400 general_argument_invalid'],
    ['deep text', { documentId: 'unique()', data: '['.repeat(100_000) }, '400 general_argument_invalid'],
    ['a list for a body', [], '400 general_argument_invalid'],
  ])('a body with %s is refused', async (_what, body, expected) => {
    const answer = await create(body)
    expect(`${answer.status} ${answer.body.type}`).toBe(expected)
  })

  test('Q05 the keys `__proto__` and `constructor` are refused in a body and in its JSON text', async () => {
    for (const key of ['__proto__', 'constructor']) {
      for (const text of [
        `{"documentId":"unique()","data":{"name":"x","${key}":{"prototype":{"isAdmin":true}}}}`,
        `{"documentId":"unique()","data":${JSON.stringify(`{"name":"x","${key}":{"prototype":{"isAdmin":true}}}`)}}`,
      ]) {
        const answer = await bea.request('POST', appwriteDocumentsPath('groups'), text, {
          'content-type': 'application/json',
        })
        expect(answer.status).toBe(400)
      }
    }
    expect(({} as { isAdmin?: unknown }).isAdmin).toBeUndefined()
  })

  test('a change without data and permissions is refused', async () => {
    const answer = await ana.request<{ type: string }>(
      'PATCH',
      `${appwriteDocumentsPath('users')}/${ana.id}`,
      {},
    )
    expect(`${answer.status} ${answer.body.type}`).toBe('400 document_missing_payload')
  })
})

test('PERM-07 six calls that forge the id of another member are refused and store nothing', async () => {
  const knit = await createGroupWithMembers(ana)
  const post = await createPostInGroup(w.database, ana, null)
  const conversation = await createAppwriteDocumentsClient(ana, 'conversations').made({
    participants: [ana.id, bea.id],
  })
  const forged: [string, object][] = [
    ['posts', { creator: ana.id, caption: 'Forjado', location: 'x', imageId: 'x' }],
    ['saves', { user: ana.id, post }],
    ['comments', { authorId: ana.id, postId: post, content: 'forjado' }],
    ['follows', { followerId: ana.id, followingId: bea.id }],
    ['messages', { senderId: ana.id, conversationId: conversation.$id, content: 'forjado' }],
    ['groups', { adminId: ana.id, name: 'Forjado' }],
    ['groupRequests', { userId: ana.id, groupId: knit }],
    ['users', { accountId: ana.accountId, name: 'Forjada', username: 'forjada' }],
  ]
  for (const [collection, attributes] of forged) {
    expect(formatRefusalText(await createAppwriteDocumentsClient(bea, collection).create(attributes))).toBe(
      '401 user_unauthorized',
    )
  }
  expect(
    (await createAppwriteDocumentsClient(bea, 'messages').list(buildAppwriteEqualQuery('content', 'forjado')))
      .body.total,
  ).toBe(0)
})
