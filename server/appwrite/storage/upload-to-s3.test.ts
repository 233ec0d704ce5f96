import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiClient, type MemberClient } from '#api-client/member-client.ts'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  sendRawUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { createNoisePng, createPng, padPngToSize, stripPngMetadata } from '#scripts/harness/image-fixtures.ts'
import { type LocalS3Server, startLocalS3Server } from '#scripts/harness/local-s3-server.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { startSecondServerNode } from '../../../tests/support/second-node.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-bucket-'))
let store: LocalS3Server
let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  store = await startLocalS3Server()
  w = await createTestWorld({ DATA_DIR: dataDir, ...store.env })
  ana = await w.join('Ana')
})
afterAll(async () => {
  await w.end()
  await store.end()
  rmSync(dataDir, { recursive: true, force: true })
})

const objects = () => listFilePathsBelow(store.folder).filter((path) => path.endsWith('_object'))
const get = (id: string, suffix: string, headers = {}) =>
  ana.request<AppwriteFileResponse>('GET', `${appwriteFilesPath}/${id}${suffix}`, undefined, headers)

test('SDK-13 SDK-14 a picture uploaded in chunks out of order is stored in the bucket and deleted with its row', async () => {
  const bytes = padPngToSize(await createNoisePng(1400, 1000), 11_000_000)
  const id = 'in-a-bucket'
  for (const number of [0, 2, 2]) {
    const piece = await sendRawUpload(ana, {
      ...sliceUploadChunk(bytes, number),
      fileId: id,
      continues: number ? id : undefined,
    })
    expect(piece.status).toBe(201)
  }
  expect(objects()).toHaveLength(2)
  const { status, body } = await sendRawUpload(ana, {
    ...sliceUploadChunk(bytes, 1),
    fileId: id,
    continues: id,
  })
  expect([status, body.chunksUploaded, body.chunksTotal]).toEqual([201, 3, 3])
  // The storage has the original and the first variants, but no chunks.
  expect(objects()).toHaveLength(5)
  expect(listFilePathsBelow(dataDir)).toEqual([])

  const part = await get(id, '/view', { range: 'bytes=1-3' })
  expect([part.status, part.headers['content-range']]).toEqual([206, `bytes 1-3/${body.sizeOriginal}`])
  expect(part.raw.toString()).toBe('PNG')
  expect((await get(id, '/preview?width=900', { accept: 'image/webp' })).headers['content-type']).toBe(
    'image/webp',
  )
  expect(objects()).toHaveLength(6)

  expect((await ana.request('DELETE', `${appwriteFilesPath}/${id}`)).status).toBe(204)
  expect(objects()).toEqual([])
  expect((await get(id, '/view')).status).toBe(404)
})

test('SDK-13 UPL-10 an upload interrupted on one node continues on another node as one picture', async () => {
  const elsewhere = await startSecondServerNode(w.database, store.env)
  const there = createApiClient(elsewhere.app, ana.cookie)
  const picture = await createNoisePng(1400, 1000)
  const bytes = padPngToSize(picture, 11_000_000)
  const id = 'of-two-nodes'
  await sendRawUpload(ana, { ...sliceUploadChunk(bytes, 0), fileId: id })
  const rest = await Promise.all([
    sendRawUpload(there, { ...sliceUploadChunk(bytes, 1), continues: id }),
    sendRawUpload(ana, { ...sliceUploadChunk(bytes, 2), continues: id }),
  ])
  expect(rest.map(({ status }) => status)).toEqual([201, 201])
  for (const person of [ana, there]) {
    const view = await person.request('GET', `${appwriteFilesPath}/${id}/view`)
    expect(view.raw.equals(stripPngMetadata(picture))).toBe(true)
  }
  expect((await there.request('DELETE', `${appwriteFilesPath}/${id}`)).status).toBe(204)
  expect(objects()).toEqual([])
  await elsewhere.end()
})

test('a refused upload leaves nothing in the bucket', async () => {
  const broken = (await createPng()).subarray(0, 200)
  expect((await sendRawUpload(ana, { bytes: broken })).status).toBe(400)
  expect(objects()).toEqual([])
  expect(listFilePathsBelow(dataDir)).toEqual([])
})
