import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import { appwriteFilesPath, sendRawUpload, sliceUploadChunk } from '#api-client/raw-multipart-upload.ts'
import {
  deleteFileOperation,
  getFileContentOperation,
  getFileOperation,
  uploadFileOperation,
} from '#contract/files/files.ts'
import { uploadChunkBytes } from '#contract/limits.ts'
import { createPostOperation, getPostOperation } from '#contract/posts/posts.ts'
import { createJpeg, createNoisePng, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import { createTestWorld, type TestWorld } from '#tests/support/world.ts'

const ours = '/v1/files'
let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let twelveMegabytes: Buffer
beforeAll(async () => {
  w = await createTestWorld()
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  twelveMegabytes = padPngToSize(await createNoisePng(1500, 1500), 12 * 1024 * 1024)
})
afterAll(() => w.end())

const chunkTo = (person: MemberClient, id: string, number: number) =>
  sendRawUpload(person, { ...sliceUploadChunk(twelveMegabytes, number), path: `${ours}/${id}/chunks` })

describe('uploading a picture in chunks', () => {
  test('UPL-10 ana uploads 12 MB in three chunks, and the file shows its progress', async () => {
    const begun = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), path: ours })
    expect(begun).toMatchObject({ status: 201, body: { chunksTotal: 3, chunksUploaded: 1 } })
    const { $id: fileId } = begun.body
    expect(await chunkTo(ana, fileId, 2)).toMatchObject({ status: 201, body: { chunksUploaded: 1 } })
    expect(await ana.call(getFileOperation, { fileId })).toEqual({
      $id: fileId,
      chunksTotal: 3,
      chunksUploaded: 1,
    })
    expect(await ana.refusal(getFileContentOperation, { fileId })).toMatchObject({
      type: 'storage_file_not_found',
    })
    expect(await chunkTo(ana, fileId, 1)).toMatchObject({ status: 201, body: { chunksUploaded: 3 } })
    const { status, raw, headers } = await ana.ask(getFileContentOperation, { fileId })
    expect([status, headers['content-type']]).toEqual([200, 'image/png'])
    expect(raw.length).toBeGreaterThan(uploadChunkBytes)
    expect(await chunkTo(ana, fileId, 1)).toMatchObject({ status: 409 })
    expect((await ana.ask(deleteFileOperation, { fileId })).status).toBe(204)
  })

  test("UPL-10 bea can neither see nor continue ana's upload, and nobody can continue a deleted upload", async () => {
    const begun = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), path: ours })
    const { $id: fileId } = begun.body
    expect(await chunkTo(bea, fileId, 1)).toMatchObject({
      status: 404,
      body: { type: 'storage_file_not_found' },
    })
    expect(await bea.refusal(getFileOperation, { fileId })).toMatchObject({ code: 404 })
    expect((await ana.ask(deleteFileOperation, { fileId })).status).toBe(204)
    expect(await chunkTo(ana, fileId, 1)).toMatchObject({ status: 404 })
    const { rows } = await w.database.pool.query('select from files where public_id = $1', [fileId])
    expect(rows).toEqual([])
  })

  test('an upload begun in one API continues in the other API', async () => {
    const begun = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), path: ours })
    const { $id: fileId } = begun.body
    expect(
      await sendRawUpload(ana, { continues: fileId, ...sliceUploadChunk(twelveMegabytes, 1) }),
    ).toMatchObject({
      status: 201,
    })
    expect(await chunkTo(ana, fileId, 2)).toMatchObject({ status: 201, body: { chunksUploaded: 3 } })
    expect((await ana.ask(deleteFileOperation, { fileId })).status).toBe(204)
  })
})

test.each(['foto.heic', 'foto.jpg'])('HEIC-03 the server refuses a HEIC file named %s', async (name) => {
  const heic = readFileSync(join(import.meta.dirname, '../../../tests/fixtures/heif/plain.heic'))
  const refused = await sendRawUpload(ana, { bytes: heic, name, path: ours })
  expect(refused).toMatchObject({ status: 400, body: { type: 'storage_file_type_unsupported' } })
})

describe('serving a whole picture', () => {
  test('both APIs serve the same bytes under the same ETag, at every width', async () => {
    const fileId = await ana.upload(await createNoisePng(700, 500))
    for (const width of [64, 640]) {
      const shown = await ana.request('GET', `${ours}/${fileId}/content?width=${width}`, undefined, {
        accept: 'image/webp',
      })
      const inBucket = await ana.request(
        'GET',
        `${appwriteFilesPath}/${fileId}/preview?width=${width}`,
        undefined,
        {
          accept: 'image/webp',
        },
      )
      expect([shown.status, shown.headers['content-type']]).toEqual([200, 'image/webp'])
      expect([shown.headers.etag, shown.raw.equals(inBucket.raw)]).toEqual([inBucket.headers.etag, true])
    }
    const original = await ana.ask(getFileContentOperation, { fileId })
    const viewed = await ana.request('GET', `${appwriteFilesPath}/${fileId}/view`)
    expect(original.raw.equals(viewed.raw)).toBe(true)
    expect(original.headers['content-disposition']).toBe(viewed.headers['content-disposition'])
  })

  test('a picture is JPEG for clients that do not accept WebP, and HEAD returns no body', async () => {
    const fileId = await ana.upload(await createJpeg())
    const path = `${ours}/${fileId}/content?width=64`
    const { headers, raw } = await ana.request('GET', path)
    expect([headers['content-type'], Number(headers['content-length'])]).toEqual(['image/jpeg', raw.length])
    const head = await ana.request('HEAD', path)
    expect([head.status, head.headers.etag, head.raw.length]).toEqual([200, headers.etag, 0])
    const again = await ana.request('GET', path, undefined, { 'if-none-match': headers.etag ?? '' })
    expect([again.status, again.raw.length]).toEqual([304, 0])
  })

  test('F02 only ana sees her unattached file; everyone sees a posted picture, which bea can neither delete nor embed', async () => {
    const imageId = await ana.upload(await createJpeg())
    expect(await bea.refusal(getFileContentOperation, { fileId: imageId, width: 64 })).toMatchObject({
      code: 404,
    })
    const content = { caption: 'Una tarde', location: 'Tonalá', tags: [], imageId }
    const post = await ana.call(createPostOperation, content)
    expect(new URL(post.imageUrl).pathname).toBe(`${ours}/${imageId}/content`)
    const { status, headers } = await bea.ask(getFileContentOperation, { fileId: imageId, width: 64 })
    expect([status, headers['cache-control']]).toEqual([200, 'private, no-cache'])
    expect(await bea.refusal(deleteFileOperation, { fileId: imageId })).toMatchObject({ code: 404 })
    expect(await ana.refusal(deleteFileOperation, { fileId: imageId })).toMatchObject({
      type: 'storage_file_in_use',
    })
    const embedded = await bea.request('GET', `${ours}/${imageId}/content`, undefined, {
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'no-cors',
    })
    expect(embedded.status).toBe(404)
    expect((await w.visitor.ask(getFileContentOperation, { fileId: imageId })).status).toBe(401)
    expect((await bea.call(getPostOperation, { postId: post.$id })).image.url).toBe(post.imageUrl)
  })

  test.each([
    ['0', 400],
    ['4001', 400],
    ['ancho', 400],
    ['1', 200],
    ['4000', 200],
  ])('a picture width of %s answers %i', async (width, status) => {
    const fileId = await ana.upload(await createPng())
    const answer = await ana.request<{ field?: string }>('GET', `${ours}/${fileId}/content?width=${width}`)
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.field).toBe('width')
  })

  test('UPL-09 an empty file, a missing file and a request without a form are each refused with their own error', async () => {
    expect(await sendRawUpload(ana, { bytes: Buffer.alloc(0), path: ours })).toMatchObject({
      status: 400,
      body: { type: 'storage_file_empty', field: 'file' },
    })
    expect(await sendRawUpload(ana, { bytes: Buffer.alloc(0), parts: [], path: ours })).toMatchObject({
      status: 400,
      body: { type: 'storage_file_empty', field: 'file' },
    })
    expect((await ana.ask(uploadFileOperation, { foto: 'x' })).status).toBe(415)
  })
})

test('SUP-15 eva, who has no picture, gets the same initials in both APIs, also for visitors', async () => {
  const eva = await w.join('Eva Marín')
  const { imageUrl } = (await eva.request<{ imageUrl: string }>('GET', '/v1/me')).body
  const { pathname, search } = new URL(imageUrl)
  expect(pathname + search).toBe('/v1/people/avatars/initials?name=Eva%20Mar%C3%ADn')
  const drawn = await w.visitor.request('GET', pathname + search)
  expect(drawn).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=2592000',
      'cross-origin-resource-policy': 'cross-origin',
    },
  })
  const { imageUrl: asDocument } = (
    await eva.request<{ imageUrl: string }>('GET', `/v1/databases/main/collections/users/documents/${eva.id}`)
  ).body
  expect(asDocument).toContain('/v1/avatars/initials?name=Eva%20Mar%C3%ADn&background=')
  const address = new URL(asDocument)
  const throughAppwrite = await w.visitor.request('GET', address.pathname + address.search)
  expect(drawn.raw.equals(throughAppwrite.raw)).toBe(true)
  expect((await w.visitor.request('GET', '/v1/people/avatars/initials')).status).toBe(400)
})

test('F10 twelve concurrent uploads by ana all succeed, through both APIs', async () => {
  const bytes = await createJpeg()
  const uploads = Array.from({ length: 12 }, (_, n) =>
    sendRawUpload(ana, { bytes, path: n % 2 ? ours : appwriteFilesPath }),
  )
  const statuses = (await Promise.all(uploads)).map(({ status }) => status)
  expect(statuses).toEqual(Array(12).fill(201))
})

test('SDK-14 a transparent PNG stays PNG for clients without WebP, and an opaque PNG becomes JPEG', async () => {
  const seeThrough = await sharp({
    create: { width: 80, height: 60, channels: 4, background: { r: 200, g: 0, b: 0, alpha: 0.3 } },
  })
    .png()
    .toBuffer()
  const ids = { seeThrough: await ana.upload(seeThrough), opaque: await ana.upload(await createPng()) }
  const shown = async (path: string) => {
    const { headers, raw } = await ana.request('GET', path, undefined, { accept: 'image/*' })
    const { hasAlpha, format } = await sharp(raw).metadata()
    return { type: headers['content-type'], hasAlpha, format }
  }
  for (const path of [
    (id: string) => `${ours}/${id}/content?width=64`,
    (id: string) => `${appwriteFilesPath}/${id}/preview?width=64`,
    (id: string) => `${appwriteFilesPath}/${id}/preview`,
  ]) {
    expect(await shown(path(ids.seeThrough))).toEqual({ type: 'image/png', hasAlpha: true, format: 'png' })
    expect(await shown(path(ids.opaque))).toMatchObject({ type: 'image/jpeg', format: 'jpeg' })
  }
})

test('D01 visitors can send only small, simple requests; other routes refuse them before reading the body', async () => {
  const post = (url: string, payload: unknown) =>
    w.visitor.request<{ type: string; message: string }>('POST', url, payload)
  const long = { email: 'x'.repeat(17_000), password: 'x' }
  expect(await post('/v1/sessions', long)).toMatchObject({ status: 413 })
  const wide = Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n]))
  expect(await post('/v1/sessions', wide)).toMatchObject({
    status: 400,
    body: { message: 'The JSON body has more than 50 names.' },
  })
  expect(await post('/v1/posts', wide)).toMatchObject({ status: 401 })
  const huge = Object.fromEntries(Array.from({ length: 5001 }, (_, n) => [`k${n}`, n]))
  expect(await ana.request('POST', '/v1/posts', huge)).toMatchObject({ status: 400 })
})

describe('removed metadata in the response to an upload', () => {
  test('AUD-08 only the owner can read which metadata was removed from her pictures: place, camera, time and text', async () => {
    const picture = () => sharp({ create: { width: 64, height: 48, channels: 3, background: '#1e50c8' } })
    const gps = { GPSLatitude: '19/1 25/1 5736/100', GPSLongitude: '99/1 8/1 100/100' }
    const five: [Buffer, string[]][] = [
      [
        await picture()
          .withExif({ IFD0: { Make: 'Telefono', DateTime: '2026:05:01 10:00:00' }, IFD3: gps })
          .jpeg()
          .toBuffer(),
        ['place', 'camera', 'time'],
      ],
      [
        await picture()
          .withExif({ IFD0: { Model: 'Reflex' } })
          .jpeg()
          .toBuffer(),
        ['camera'],
      ],
      [await picture().jpeg().toBuffer(), []],
      [
        await picture()
          .withExif({ IFD0: { ImageDescription: 'Mi casa' }, IFD3: gps })
          .png()
          .toBuffer(),
        ['place', 'text'],
      ],
      [await picture().png().toBuffer(), []],
    ]
    for (const [bytes, removed] of five) {
      const sent = await sendRawUpload(ana, { bytes, path: ours })
      expect(sent).toMatchObject({ status: 201, body: { removed } })
      const { $id: fileId } = sent.body
      expect(await ana.call(getFileOperation, { fileId })).toMatchObject({ removed })
      await ana.call(createPostOperation, {
        caption: 'Con foto',
        location: 'Aquí',
        tags: [],
        imageId: fileId,
      })
      expect(await bea.call(getFileOperation, { fileId })).not.toHaveProperty('removed')
    }
  })
})
