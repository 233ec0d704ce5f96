import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroupWithMembers, insertUploadedImageRow } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import {
  type AppwriteTestDocument,
  buildAppwriteEqualQuery,
  createAppwriteDocumentsClient,
  documentIdsOf,
  formatRefusalText,
  invalidQueryRefusalText,
  postContentFixture,
} from '../../../tests/support/appwrite-documents-client.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let eva: MemberClient
let knit: string
/** Ana's twenty public posts, oldest first. */
let walk: AppwriteTestDocument[]
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana Luz')
  bea = await w.join('Bea Águila')
  eva = await w.join('Eva 100%_')
  knit = await createGroupWithMembers(bea)
  walk = []
  for (let n = 0; n < 20; n += 1)
    walk.push(await published(ana, { caption: `Paseo nº ${n}`, tags: [`t${n % 3}`] }))
})
afterAll(() => w.end())

const posts = (person: MemberClient) => createAppwriteDocumentsClient(person, 'posts')
const users = (person: MemberClient) => createAppwriteDocumentsClient(person, 'users')
async function published(author: MemberClient, more: object = {}): Promise<AppwriteTestDocument> {
  return posts(author).made({
    ...postContentFixture,
    imageId: await insertUploadedImageRow(w.database, author),
    ...more,
  })
}
const captions = (documents: AppwriteTestDocument[]) => documents.map(({ caption }) => caption)

describe('SDK-12 every kind of query, in both grammars', () => {
  const numbers = (...of: number[]) => of.map((n) => `Paseo nº ${n}`)
  test.each([
    ['equal', 'equal("caption", ["paseo nº 3"])', numbers(3)],
    ['equal to one of', 'equal("caption", ["Paseo nº 3","PASEO Nº 4"])', numbers(3, 4)],
    ['JSON equal', '{"method":"equal","attribute":"caption","values":["Paseo nº 3"]}', numbers(3)],
    ['notEqual', '{"method":"notEqual","attribute":"caption","values":["Paseo nº 3"]}', 19],
    [
      'startsWith',
      'startsWith("caption", ["paseo nº 1"])',
      numbers(1, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19),
    ],
    ['endsWith', 'endsWith("caption", ["º 7"])', numbers(7)],
    ['contains', '{"method":"contains","attribute":"caption","values":["º 5","º 6"]}', numbers(5, 6)],
    ['notContains', '{"method":"notContains","attribute":"caption","values":["1"]}', 9],
    [
      'contains in a list',
      '{"method":"contains","attribute":"tags","values":["t2"]}',
      numbers(2, 5, 8, 11, 14, 17),
    ],
    ['containsAll', '{"method":"containsAll","attribute":"tags","values":["t2","t1"]}', []],
    ['search', 'search("caption", ["SEO Nº 19"])', numbers(19)],
    ['notSearch', '{"method":"notSearch","attribute":"caption","values":["paseo"]}', []],
    ['search for nothing', 'search("caption", ["  "])', []],
    ['isNull', 'isNull("groupId")', 20],
    ['isNotNull', 'isNotNull("groupId")', []],
    ['greaterThan', 'greaterThan("$createdAt", ["2999-01-01T00:00:00.000+00:00"])', []],
    ['lessThanEqual', 'lessThanEqual("$updatedAt", ["2999-01-01"])', 20],
    ['between', 'between("$createdAt", "2020-01-01T00:00:00Z", "2999-01-01 00:00:00")', 20],
    [
      'notBetween',
      '{"method":"notBetween","attribute":"$createdAt","values":["2020-01-01","2999-01-01"]}',
      [],
    ],
    [
      'or',
      '{"method":"or","values":[{"method":"equal","attribute":"caption","values":["Paseo nº 1"]},{"method":"and","values":[{"method":"endsWith","attribute":"caption","values":["2"]},{"method":"isNull","attribute":"groupId"}]}]}',
      numbers(1, 2, 12),
    ],
  ])('a query with %s finds the expected posts', async (_kind, query, expected) => {
    const found = (await posts(eva).list(query, 'limit(100)')).body
    if (typeof expected === 'number') expect(found.documents).toHaveLength(expected)
    else expect(captions(found.documents)).toEqual(expected)
    expect(found.total).toBe(found.documents.length)
  })

  test('a query finds documents by any id of a list, and by the ids of related documents', async () => {
    expect((await posts(eva).list(buildAppwriteEqualQuery('creator', ana, bea))).body.total).toBe(20)
    expect((await posts(eva).list(buildAppwriteEqualQuery('creator', 'nobody'))).body.total).toBe(0)
    const [first] = walk
    expect(documentIdsOf(await posts(eva).all(buildAppwriteEqualQuery('$id', String(first?.$id))))).toEqual([
      first?.$id,
    ])
    expect(
      documentIdsOf(await posts(eva).all(buildAppwriteEqualQuery('imageId', String(first?.imageId)))),
    ).toEqual([first?.$id])
    expect(
      await createAppwriteDocumentsClient(bea, 'groups').all(
        'equal("memberCount", [1])',
        'equal("isPrivate", [true])',
      ),
    ).toHaveLength(1)
  })

  test('USR search, EXP-14 a search ignores accents and case, and wildcards are plain characters', async () => {
    expect(documentIdsOf(await users(ana).all('search("name", ["AGUILA"])'))).toEqual([bea.id])
    expect(documentIdsOf(await users(ana).all('contains("name", ["100%_"])'))).toEqual([eva.id])
    for (const term of ['%', '_', '\\']) {
      const found = await users(ana).all(`search("name", ["${term}"])`)
      expect(documentIdsOf(found)).toEqual(term === '\\' ? [] : [eva.id])
    }
    expect(await posts(eva).all('search("caption", ["sol"])')).toEqual([])
  })

  test('Q07 Q08 text that looks like code is plain text', async () => {
    for (const term of [
      '^(a+)+$',
      "'",
      ':*',
      '&!()|',
      '%'.repeat(4000),
      '"'.repeat(4000),
      '\\'.repeat(4000),
      '('.repeat(4000),
      'a'.repeat(4000),
      'x"]) equal("a",["b',
      '\\"',
    ]) {
      const answer = await posts(eva).list(`search("caption", ["${term}"])`)
      expect(answer.status).toBe(200)
      expect(answer.body.documents).toEqual([])
    }
    for (const term of ['","', 'x","y', 'a'.repeat(4096)])
      expect(formatRefusalText(await posts(eva).list(`search("caption", ["${term}"])`))).toBe(
        invalidQueryRefusalText,
      )
  })
})

describe('order and pages', () => {
  test('EXP-05 EXP-06 EXP-07 posts come by last update, nine per page, and each page starts after the last id', async () => {
    await posts(ana).patch(String(walk[4]?.$id), { location: 'Playa' })
    const seen: string[] = []
    let cursor: string | undefined
    for (const size of [9, 9, 2]) {
      const after = cursor ? [`cursorAfter("${cursor}")`] : []
      const page = await posts(eva).all('orderDesc("$updatedAt")', 'limit(9)', ...after)
      expect(page).toHaveLength(size)
      seen.push(...documentIdsOf(page))
      cursor = seen.at(-1)
    }
    const newestFirst = walk.map(({ $id }) => $id).toReversed()
    const moved = String(walk[4]?.$id)
    expect(seen).toEqual([moved, ...newestFirst.filter((id) => id !== moved)])
  })

  test('cursorBefore returns the previous page in order, and the default order is oldest first', async () => {
    const ids = walk.map(({ $id }) => $id)
    expect(documentIdsOf(await posts(eva).all('limit(3)'))).toEqual(ids.slice(0, 3))
    expect(documentIdsOf(await posts(eva).all('orderDesc("")', 'limit(3)'))).toEqual(
      ids.toReversed().slice(0, 3),
    )
    expect(documentIdsOf(await posts(eva).all(`cursorAfter("${ids[4]}")`, 'limit(2)'))).toEqual(
      ids.slice(5, 7),
    )
    expect(documentIdsOf(await posts(eva).all(`cursorBefore("${ids[4]}")`, 'limit(2)'))).toEqual(
      ids.slice(2, 4),
    )
    const back = [`cursorBefore("${ids[4]}")`, 'orderDesc("$createdAt")', 'limit(2)']
    expect(documentIdsOf(await posts(eva).all(...back))).toEqual([ids[6], ids[5]])
  })

  test('several sort orders apply one after another, also after a cursor', async () => {
    // Another member's post can be found by place only after a day.
    await w.database.pool.query("update post_topics set since = since - interval '2 days'")
    const orders = ['orderAsc("location")', 'orderDesc("caption")']
    const all = await posts(eva).all(...orders, 'limit(100)')
    const expected = all.map(({ location, caption }) => [location, caption])
    expect(expected).toEqual([...expected].sort((a, b) => compare(a[0], b[0]) || compare(b[1], a[1])))
    const behind = await posts(eva).all(...orders, `cursorAfter("${all[6]?.$id}")`, 'limit(100)')
    expect(documentIdsOf(behind)).toEqual(documentIdsOf(all).slice(7))
  })

  test('Q02 an unreadable cursor is answered like a missing cursor, and a deleted cursor works for a day', async () => {
    const hidden = await published(bea, { groupId: knit })
    const cursors = async (id: string) =>
      (await posts(eva).list('orderDesc("$createdAt")', `cursorAfter("${id}")`)).body
    const unreadable = await cursors(hidden.$id)
    expect(unreadable).toEqual({ ...(await cursors('nothing')), message: unreadable.message })
    expect(unreadable).toMatchObject({
      code: 400,
      type: 'general_cursor_not_found',
      message: `Document '${hidden.$id}' for the 'cursor' value not found.`,
    })
    // A deletion does not reveal the post either to members who could not read it.
    const mark = await createAppwriteDocumentsClient(bea, 'saves').made({ post: hidden.$id })
    const marks = (person: MemberClient) =>
      createAppwriteDocumentsClient(person, 'saves').list(`cursorAfter("${mark.$id}")`)
    await posts(bea).remove(hidden.$id)
    expect(await cursors(hidden.$id)).toEqual(unreadable)
    expect((await posts(bea).list(`cursorAfter("${hidden.$id}")`)).status).toBe(200)
    expect([formatRefusalText(await marks(eva)), (await marks(bea)).status]).toEqual([
      '400 general_cursor_not_found',
      200,
    ])
    const passing = await published(eva)
    await posts(eva).remove(passing.$id)
    expect((await cursors(passing.$id)).documents).toHaveLength(20)
    await w.database.pool.query(
      "update deleted_rows set deleted_at = deleted_at - interval '24 hours 1 second'",
    )
    expect((await cursors(passing.$id)).type).toBe('general_cursor_not_found')
  })

  test('DATA-10 the total counts all documents that the caller can read, without paging, or is 0 if not requested', async () => {
    const queries = [
      'limit(2)',
      'offset(1)',
      `cursorAfter("${walk[3]?.$id}")`,
      buildAppwriteEqualQuery('creator', ana),
    ]
    const { body } = await posts(eva).list(...queries)
    expect(Object.keys(body)).toEqual(['total', 'documents'])
    expect(body.total).toBe(20)
    expect(body.documents).toHaveLength(2)
    const path = '/v1/databases/main/collections/posts/documents'
    for (const value of ['false', '0']) {
      const uncounted = await eva.request<{ total: number }>('GET', `${path}?total=${value}`)
      expect(uncounted.body.total).toBe(0)
    }
  })
})

describe('select', () => {
  test('select returns only the named attributes, and for older clients not even the id', async () => {
    const id = String(walk[0]?.$id)
    const only = await posts(eva).get(id, 'select(["caption","creator.name"])')
    expect(only.body).toEqual({
      caption: 'Paseo nº 0',
      creator: { name: 'Ana Luz', $databaseId: 'main', $collectionId: 'users' },
      $databaseId: 'main',
      $collectionId: 'posts',
    })
    const newer = createAppwriteDocumentsClient(eva, 'posts', {
      headers: { 'x-appwrite-response-format': '1.6.0' },
    })
    const select = '{"method":"select","values":["caption"]}'
    expect(Object.keys((await newer.get(id, select)).body).sort()).toEqual([
      '$collectionId',
      '$createdAt',
      '$databaseId',
      '$id',
      '$permissions',
      '$updatedAt',
      'caption',
    ])
    expect((await posts(eva).get(id, 'select(["*"])')).body).toEqual((await posts(eva).get(id)).body)
    expect(await posts(eva).all('select(["$id"])', 'limit(1)')).toEqual([
      { $id: id, $databaseId: 'main', $collectionId: 'posts' },
    ])
  })
})

describe('refused queries', () => {
  test.each([
    ['startsWith("email", ["a"])'],
    ['equal("email", ["bea@juntas.test"])'],
    ['notEqual("email", ["ana@juntas.test"])'],
    ['search("email", ["juntas"])'],
    ['lessThan("email", ["b"])'],
    ['orderAsc("email")'],
    ['orderAsc("accountId")'],
    ['select(["email"])'],
    ['select(["posts.nothing.else", "accountId"])'],
    ['isNull("email")'],
    ['{"method":"contains","attribute":"accountId","values":["a"]}'],
    ['{"method":"or","values":[{"method":"startsWith","attribute":"email","values":["a"]}]}'],
    ['equal("accountId", [1])'],
  ])('Q01 a query about the account behind a member is refused: %s', async (query) => {
    expect(formatRefusalText(await users(ana).list(query))).toBe(invalidQueryRefusalText)
  })

  test('Q01 a member finds herself by her own account id or email, and nobody else by theirs', async () => {
    expect(documentIdsOf(await users(ana).all(buildAppwriteEqualQuery('accountId', ana.accountId)))).toEqual([
      ana.id,
    ])
    expect(
      documentIdsOf(await users(ana).all(buildAppwriteEqualQuery('email', ana.email.toUpperCase()))),
    ).toEqual([ana.id])
    for (const id of [bea.accountId, 'nobody']) {
      expect((await users(ana).list(buildAppwriteEqualQuery('accountId', id))).body).toEqual({
        total: 0,
        documents: [],
      })
    }
  })

  test('Q01 select cannot return the email or account id of a member nested in a post', async () => {
    for (const attribute of ['creator.email', 'creator.accountId', 'creator.*', 'likes.email']) {
      const { body } = await posts(eva).list(`select(["${attribute}"])`)
      expect(body.documents).toHaveLength(20)
      for (const secret of [ana.email, ana.accountId]) expect(JSON.stringify(body)).not.toContain(secret)
    }
  })

  test.each([
    ['equal("caption", [5])'],
    ['equal("caption", [true])'],
    ['equal("$createdAt", ["yesterday"])'],
    ['equal("$createdAt", ["2026-13-45"])'],
    ['equal("$createdAt", ["9999-12-31T23:59:59-23:00"])'],
    ['equal("nothing", ["x"])'],
    ['equal("constructor", ["x"])'],
    ['equal("__proto__", ["x"])'],
    ['equal("creator.name", ["Ana"])'],
    ['equal("likes", ["x"])'],
    ['equal("imageUrl", ["x"])'],
    ['greaterThan("creator", ["x"])'],
    ['orderAsc("tags")'],
    ['orderAsc("creator")'],
    ['orderAsc("nothing")'],
    ['select(["nothing"])'],
    ['select(["caption.x"])'],
    ['equal("imageId", [true])'],
  ])('Q04 Q05 the query %s on posts is refused', async (query) => {
    expect(formatRefusalText(await posts(ana).list(query))).toBe(invalidQueryRefusalText)
  })

  test('a request for a single document accepts only select', async () => {
    for (const query of [
      'limit(101)',
      'equal("caption", ["x"])',
      'orderAsc("caption")',
      'offset(1)',
      'bogus',
    ]) {
      expect(formatRefusalText(await posts(ana).get(String(walk[0]?.$id), query))).toBe(
        invalidQueryRefusalText,
      )
    }
  })

  test('Q05 a key inside the list of queries is refused', async () => {
    for (const key of ['queries[__proto__]', 'queries[0][method]']) {
      const url = `/v1/databases/main/collections/posts/documents?${new URLSearchParams({ [key]: 'limit(1)' })}`
      expect((await ana.request('GET', url)).status).toBe(400)
    }
    expect(({} as { method?: unknown }).method).toBeUndefined()
  })
})

const compare = (a: unknown, b: unknown) => (String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0)
