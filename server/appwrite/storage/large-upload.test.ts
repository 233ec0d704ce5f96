/**
 * Tests upload the largest picture in ten chunks: in order, all at once, backwards and resumed. The stored
 * bytes must always be the same.
 */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  sendRawUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { createNoisePng, padPngToSize, stripPngMetadata } from '#scripts/harness/image-fixtures.ts'
import {
  appwriteSdk,
  createAppwriteSdkClient,
  loadNewestSdk,
  loadSdk,
  type SdkWindow,
} from '../../../tests/appwrite/sdk/load-sdk.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '../../../tests/support/world.ts'

const size = 50_000_000
const last = 9

let w: TestWorld
let ana: MemberClient
let url: string
let sanitized: Buffer
let upload: Buffer
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  // The client runs in this process, which may be too busy to notice in time that an idle connection was
  // closed.
  w.app.server.keepAliveTimeout = 0
  url = await w.app.listen({ port: 0, host: '127.0.0.1' })
  const picture = await createNoisePng(4070, 4070)
  sanitized = stripPngMetadata(picture)
  upload = padPngToSize(picture, size)
})
afterAll(() => w.end())

/** Returns chunk indices from Content-Range, in the order of arrival. */
function watchPieces(): number[] {
  const arrived: number[] = []
  w.app.server.on('request', ({ method, headers }) => {
    const [, start] = /^bytes (\d+)-/.exec(headers['content-range'] ?? '') ?? []
    if (method === 'POST' && start) arrived.push(Number(start) / 5_242_880)
  })
  return arrived
}

const asFile = () => new File([new Uint8Array(upload)], 'enorme.png', { type: 'image/png' })

async function isWhole(id: string): Promise<void> {
  const { body } = await ana.request<AppwriteFileResponse>('GET', `${appwriteFilesPath}/${id}`)
  expect(body).toMatchObject({
    chunksTotal: 10,
    chunksUploaded: 10,
    sizeOriginal: sanitized.length,
    signature: createHash('md5').update(sanitized).digest('hex'),
    mimeType: 'image/png',
  })
  const view = await ana.request('GET', `${appwriteFilesPath}/${id}/view`)
  expect(view.raw.equals(sanitized)).toBe(true)
}

test('UPL-10 SDK-13 the old official client uploads 50 MB in chunks, in order', async () => {
  const arrived = watchPieces()
  await new appwriteSdk.Storage(createAppwriteSdkClient(url, ana)).createFile('media', 'in-order', asFile())
  expect(arrived).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await isWhole('in-order')
})

test('SDK-13 the newest official client uploads 50 MB with eight chunks at once', async () => {
  const arrived = watchPieces()
  const newest = loadNewestSdk({ fetch, FormData, setTimeout, console } as SdkWindow)
  const client = new newest.Client().setEndpoint(`${url}/v1`).setProject('juntas')
  client.headers.cookie = ana.cookie
  await new newest.Storage(client).createFile({ bucketId: 'media', fileId: 'at-once', file: asFile() })
  expect(arrived.toSorted()).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  await isWhole('at-once')
})

test('SDK-13 a client uploads 50 MB in chunks, from the last to the first', async () => {
  for (let number = last; number >= 0; number -= 1) {
    const answer = await sendRawUpload(ana, {
      ...sliceUploadChunk(upload, number),
      fileId: 'reversed',
      continues: number < last ? 'reversed' : undefined,
    })
    expect(answer.status).toBe(201)
  }
  await isWhole('reversed')
})

test('UPL-10 SDK-13 a 50 MB upload interrupted after its third chunk continues with the fourth', async () => {
  let left = 3
  const breaking: SdkWindow['fetch'] = async (address, options) => {
    if (options.method === 'POST') left -= 1
    if (left < 0) throw new TypeError('the line is cut')
    return fetch(address, options)
  }
  const old = loadSdk({ fetch: breaking, FormData, setTimeout, console } as SdkWindow)
  const client = new old.Client().setEndpoint(`${url}/v1`).setProject('juntas')
  client.headers.cookie = ana.cookie
  await expect(new old.Storage(client).createFile('media', 'broken-off', asFile())).rejects.toThrow()

  const arrived = watchPieces()
  await new appwriteSdk.Storage(createAppwriteSdkClient(url, ana)).createFile('media', 'broken-off', asFile())
  expect(arrived).toEqual([3, 4, 5, 6, 7, 8, 9])
  await isWhole('broken-off')
})
