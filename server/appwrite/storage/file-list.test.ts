import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  sendRawUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { createJpeg, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import {
  appwriteSdk,
  createAppwriteSdkClient,
  loadNewestSdk,
  type SdkWindow,
} from '../../../tests/appwrite/sdk/load-sdk.ts'
import {
  type AppwriteErrorBody,
  buildAppwriteEqualQuery,
  formatRefusalText,
  invalidQueryRefusalText,
} from '../../../tests/support/appwrite-documents-client.ts'
import { insertUploadedImageRow } from '../../../tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../../../tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
  const uploads = [
    { fileId: 'plaza', bytes: await createPng(), name: 'Plaza Mayor.png' },
    { fileId: 'arbol', bytes: await createJpeg(), name: 'árbol 100%.jpg' },
    { fileId: 'mar', bytes: await createPng('#112233', 1600, 1200), name: 'el mar.png' },
    { fileId: 'begun', ...sliceUploadChunk(padPngToSize(await createPng(), 6e6), 0), name: 'a medias.png' },
  ]
  for (const upload of uploads) expect(await sendRawUpload(ana, upload)).toMatchObject({ status: 201 })
  const imageId = await ana.upload(await createPng(), 'pública.png')
  await ana.call(createPostOperation, { caption: 'A picture', location: 'Oaxaca', tags: [], imageId })
  for (let n = 0; n < 120; n += 1) await insertUploadedImageRow(w.database, cleo)
  await w.database.pool.query(
    `with numbered as (
       select f.id, row_number() over (order by f.id) - 1 as n from files f
       join users u on u.id = f.owner_id where u.public_id = $1
     ) update files set name = 'foto ' || n || '.jpg', public_id = 'foto-' || n, size = 1000 + n
       from numbered where files.id = numbered.id`,
    [cleo.id],
  )
})
afterAll(() => w.end())

type Listed = { total: number; files: AppwriteFileResponse[] } & AppwriteErrorBody

function list(
  person: Pick<MemberClient, 'request'>,
  queries: readonly string[],
  more: Record<string, string> = {},
) {
  const url = new URLSearchParams(more)
  for (const [place, query] of queries.entries()) url.append(`queries[${place}]`, query)
  return person.request<Listed>('GET', `${appwriteFilesPath}?${url}`)
}
const idsIn = async (...asked: Parameters<typeof list>) => {
  const { status, body } = await list(...asked)
  expect(status, JSON.stringify(body)).toBe(200)
  return body.files.map(({ $id }) => $id)
}
/** Ids that the server generates have twenty characters. */
const isChosen = (id: string) => id.length < 20

describe("SDK-13 every kind of query for a member's files, in both grammars", () => {
  test.each([
    ['equal', 'equal("name", ["EL MAR.png"])', ['mar']],
    [
      'JSON equal',
      '{"method":"equal","attribute":"$id","values":["mar","arbol","nobody"]}',
      ['arbol', 'mar'],
    ],
    ['startsWith', 'startsWith("name", ["arbol 100%"])', ['arbol']],
    ['contains', '{"method":"contains","attribute":"name","values":["MAYOR","mar"]}', ['plaza', 'mar']],
    ['search', 'search("name", ["plaza m"])', ['plaza']],
    ['equal type', buildAppwriteEqualQuery('mimeType', 'image/jpeg'), ['arbol']],
    ['no type yet', buildAppwriteEqualQuery('mimeType', ''), ['begun']],
    ['no signature yet', buildAppwriteEqualQuery('signature', ''), ['begun']],
    ['size', 'greaterThan("sizeOriginal", [5000000])', ['begun']],
    ['pieces', 'lessThan("chunksUploaded", [2])', ['plaza', 'arbol', 'mar', 'begun']],
    ['all pieces', 'equal("chunksTotal", [2])', ['begun']],
    ['created', 'greaterThan("$createdAt", ["2999-01-01"])', []],
    ['updated', 'isNotNull("$updatedAt")', ['plaza', 'arbol', 'mar', 'begun']],
    [
      'or',
      '{"method":"or","values":[{"method":"equal","attribute":"$id","values":["mar"]},{"method":"endsWith","attribute":"name","values":[".jpg"]}]}',
      ['arbol', 'mar'],
    ],
  ])('a query with %s finds the expected files', async (_kind, query, expected) => {
    const { body } = await list(ana, [query])
    expect(body.files.map(({ $id }) => $id).filter(isChosen)).toEqual(expected)
    expect(body.total).toBe(body.files.length)
  })

  test('a search finds files by id and name, ignores accents and case, and treats percent signs as plain characters', async () => {
    expect(await idsIn(ana, [], { search: 'ARBOL' })).toEqual(['arbol'])
    expect(await idsIn(ana, [], { search: '100%' })).toEqual(['arbol'])
    expect(await idsIn(ana, [], { search: 'medias' })).toEqual(['begun'])
    expect(await idsIn(ana, [buildAppwriteEqualQuery('mimeType', 'image/jpeg')], { search: 'mar' })).toEqual(
      [],
    )
    expect(await idsIn(ana, [], { search: '  ' })).toEqual([])
    expect(await idsIn(ana, [], { search: '' })).toHaveLength(5)
  })

  test('files are sorted by name, size and age in both directions, and the total counts the filtered files', async () => {
    const names = await idsIn(ana, ['orderAsc("name")', 'notEqual("$id", ["plaza"])'])
    expect(names.filter(isChosen)).toEqual(['begun', 'mar', 'arbol'])
    expect((await idsIn(ana, ['orderDesc("sizeOriginal")']))[0]).toBe('begun')
    const oldest = await idsIn(ana, ['orderAsc("$createdAt")'])
    expect(await idsIn(ana, ['orderDesc("$createdAt")'])).toEqual(oldest.toReversed())
    const { body } = await list(ana, [
      'limit(1)',
      'offset(1)',
      buildAppwriteEqualQuery('mimeType', 'image/png'),
    ])
    expect([body.files.map(({ $id }) => $id), body.total]).toEqual([['mar'], 3])
    expect((await list(ana, [], { total: 'false' })).body.total).toBe(0)
  })
})

describe('pages', () => {
  const numbers = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => `foto-${from + n}`)

  test('a page has 25 files by default and 100 at most, and later pages are reached by offset or cursor', async () => {
    expect(await idsIn(cleo, [])).toEqual(numbers(0, 25))
    expect(await idsIn(cleo, ['limit(100)', 'offset(95)'])).toEqual(numbers(95, 120))
    expect(await idsIn(cleo, ['limit(10)', 'cursorAfter("foto-109")'])).toEqual(numbers(110, 120))
    expect(await idsIn(cleo, ['limit(10)', 'cursorBefore("foto-110")'])).toEqual(numbers(100, 110))
    expect(await idsIn(cleo, ['limit(2)', 'orderDesc("sizeOriginal")', 'cursorAfter("foto-3")'])).toEqual([
      'foto-2',
      'foto-1',
    ])
    expect(await idsIn(cleo, ['cursorAfter("foto-119")'])).toEqual([])
    expect((await list(cleo, ['limit(1)', 'cursorAfter("foto-50")'])).body.total).toBe(120)
  })

  test('Q02 a cursor that the caller cannot read is answered like a missing cursor', async () => {
    for (const cursor of ['mar', 'nope']) {
      const answer = await list(bea, [`cursorAfter("${cursor}")`])
      expect(formatRefusalText(answer)).toBe('400 general_cursor_not_found')
      expect(answer.body.message).toBe(`File '${cursor}' for the 'cursor' value not found.`)
    }
  })
})

describe('ownership', () => {
  test('bea cannot use a visible file of another member as a cursor, because its position would reveal its name', async () => {
    const [shown] = await idsIn(ana, ['search("name", ["pública"])'])
    await bea.request('GET', `${appwriteFilesPath}/${shown}`).then(({ status }) => expect(status).toBe(200))
    for (const order of ['orderAsc("name")', 'orderDesc("name")', 'orderAsc("$createdAt")']) {
      for (const cursor of ['cursorAfter', 'cursorBefore']) {
        const answer = await list(bea, [order, `${cursor}("${shown}")`])
        expect(formatRefusalText(answer)).toBe('400 general_cursor_not_found')
      }
    }
  })

  test.each([
    [[]],
    [[buildAppwriteEqualQuery('$id', 'mar', 'arbol', 'foto-7')]],
    [['search("name", ["foto"])']],
    [['isNotNull("$createdAt")', 'orderDesc("sizeOriginal")', 'limit(100)']],
  ])('FI3 bea, who has uploaded nothing, finds no files of others with the queries %j', async (queries) => {
    expect((await list(bea, queries)).body).toEqual({ total: 0, files: [] })
    expect((await list(bea, queries, { search: 'mar' })).body).toEqual({ total: 0, files: [] })
  })

  test('FI3 a visitor gets 401 for any request', async () => {
    for (const queries of [[], ['bogus']]) expect((await list(w.visitor, queries)).status).toBe(401)
  })

  test('a file that is being deleted is no longer listed', async () => {
    const released = await bea.upload(await createPng(), 'suelta.png')
    expect(await idsIn(bea, [])).toEqual([released])
    await w.database.pool.query(`update files set state = 'deleting' where public_id = $1`, [released])
    expect((await list(bea, [])).body).toEqual({ total: 0, files: [] })
  })
})

test.each([
  'bogus',
  'limit(0)',
  'limit(101)',
  'offset(5001)',
  'offset(-1)',
  'select(["name"])',
  'equal("storage_key", ["x"])',
  'equal("owner_id", [1])',
  'equal("$permissions", ["x"])',
  'equal("constructor", ["x"])',
  'equal("sizeOriginal", ["9"])',
  'equal("mimeType", [5])',
  'search("mimeType", ["image"])',
  'orderAsc("nothing")',
  'equal("$createdAt", ["yesterday"])',
])('Q03 Q04 Q05 the query %s is refused', async (query) => {
  expect(formatRefusalText(await list(ana, [query]))).toBe(invalidQueryRefusalText)
})

test('more than twenty queries or a search term over 256 characters are refused by name', async () => {
  expect(formatRefusalText(await list(ana, Array(21).fill('limit(1)')))).toBe(invalidQueryRefusalText)
  const long = await list(ana, [], { search: 'x'.repeat(257) })
  expect(long).toMatchObject({ status: 400, body: { type: 'general_argument_invalid', field: 'search' } })
})

test('SDK-13 the old and the newest official client list files with queries', async () => {
  const url = await w.app.listen({ port: 0, host: '127.0.0.1' })
  const { Query } = appwriteSdk
  const storage = new appwriteSdk.Storage(createAppwriteSdkClient(url, ana))
  const found = await storage.listFiles(
    'media',
    [Query.equal('mimeType', 'image/png'), Query.limit(1)],
    'mayor',
  )
  expect(found).toMatchObject({ total: 1, files: [{ $id: 'plaza', bucketId: 'media' }] })

  const newest = loadNewestSdk({ fetch, FormData, setTimeout, console } as SdkWindow)
  const client = new newest.Client().setEndpoint(`${url}/v1`).setProject('juntas')
  client.headers.cookie = ana.cookie
  const page = await new newest.Storage(client).listFiles({
    bucketId: 'media',
    queries: [newest.Query.orderDesc('name'), newest.Query.greaterThan('sizeOriginal', 5_000_000)],
    search: 'medias',
    total: false,
  })
  expect(page).toMatchObject({ total: 0, files: [{ $id: 'begun', chunksUploaded: 1, signature: '' }] })
})
