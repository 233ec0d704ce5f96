import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MemberClient, pickComparableResponse } from '#api-client/member-client.ts'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  sendRawUpload,
} from '#api-client/raw-multipart-upload.ts'
import { updateProfileOperation } from '#contract/people/people.ts'
import { createPostOperation, deletePostOperation } from '#contract/posts/posts.ts'
import {
  createJpeg,
  createPhoneJpegWithGps,
  createPng,
  gpsPositionFixture,
} from '#scripts/harness/image-fixtures.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { appwriteSdk, createAppwriteSdkClient } from '../../../tests/appwrite/sdk/load-sdk.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-storage-'))
let w: TestWorld
let url: string
/** Ana publishes. Bea is in Ana's group Knit, Cleo is not. */
let ana: MemberClient
let bea: MemberClient
let cleo: MemberClient
const kept = { unattached: '', public: '', group: '', portrait: '' }

beforeAll(async () => {
  w = await createTestWorld({ DATA_DIR: dataDir, ALIAS_BUCKET: 'photos' })
  url = await w.app.listen({ port: 0, host: '127.0.0.1' })
  ;[ana, bea, cleo] = [await w.join('Ana'), await w.join('Bea'), await w.join('Cleo')]
  const post = { caption: 'A picture', location: 'Oaxaca', tags: [] }

  kept.unattached = await ana.upload(await createJpeg('#334455', 800, 600), 'dónde.jpg')
  kept.public = await ana.upload(await createPng('#c8321e', 1600, 1200), 'plaza.png')
  await ana.call(createPostOperation, { ...post, imageId: kept.public })
  await foundKnit()
  kept.group = await ana.upload(await createPng('#112233'))
  await ana.call(createPostOperation, { ...post, imageId: kept.group, groupId: 'knit' })
  kept.portrait = await ana.upload(await createPng('#445566'))
  await w.database.pool.query(
    `with claimed as (
       update files set state = 'attached', purpose = 'user' where public_id = $1 returning id
     ) update users set image_id = (select id from claimed) where public_id = $2`,
    [kept.portrait, ana.id],
  )
})
afterAll(async () => {
  await w.end()
  rmSync(dataDir, { recursive: true, force: true })
})

/** Creates the rows of Knit with its admin and a member. */
async function foundKnit(): Promise<void> {
  await w.database.pool.query(
    `with admin as (select id from users where public_id = $1),
       founded as (insert into groups (public_id, name, admin_id) select 'knit', 'Knit', id from admin returning id)
     insert into group_members (public_id, group_id, user_id, role)
       select 'knit-' || u.public_id, founded.id, u.id, case u.public_id when $1 then 'admin' else 'member' end
       from users u, founded where u.public_id in ($1, $2)`,
    [ana.id, bea.id],
  )
}

const suffixes = ['', '/view', '/download', '/preview', '/preview?width=200'] as const
const get = (person: Pick<MemberClient, 'request'>, id: string, suffix = '', headers = {}) =>
  person.request<AppwriteFileResponse & { type: string; message: string }>(
    'GET',
    `${appwriteFilesPath}/${id}${suffix}`,
    undefined,
    headers,
  )

describe('access', () => {
  test('F01 only members of a group see the picture of its post; others get 404 and visitors 401, on every path', async () => {
    for (const suffix of suffixes) {
      expect((await get(ana, kept.group, suffix)).status, suffix).toBe(200)
      expect((await get(bea, kept.group, suffix)).status, suffix).toBe(200)
      for (const headers of [{}, { range: 'bytes=0-9' }]) {
        const refused = await get(cleo, kept.group, suffix, headers)
        expect(refused).toMatchObject({ status: 404, body: { type: 'storage_file_not_found' } })
        expect(pickComparableResponse(refused)).toEqual(
          pickComparableResponse(await get(cleo, 'nothing', suffix, headers)),
        )
        expect((await get(w.visitor, kept.group, suffix, headers)).status, suffix).toBe(401)
      }
      for (const [person, status] of [
        [cleo, 404],
        [w.visitor, 401],
      ] as const) {
        const head = await person.request('HEAD', `${appwriteFilesPath}/${kept.group}${suffix}`)
        expect([suffix, head.status, head.raw.length]).toEqual([suffix, status, 0])
      }
    }
  })

  test('every signed-in member can see the pictures of public posts and of profiles, and visitors cannot', async () => {
    for (const id of [kept.public, kept.portrait]) {
      for (const suffix of suffixes) {
        expect((await get(cleo, id, suffix)).status).toBe(200)
        expect((await get(w.visitor, id, suffix)).status).toBe(401)
      }
    }
  })

  test('only the uploader can see an unattached picture', async () => {
    for (const suffix of suffixes) {
      expect((await get(ana, kept.unattached, suffix)).status).toBe(200)
      expect((await get(bea, kept.unattached, suffix)).status).toBe(404)
    }
  })

  test('F02 a known ETag gets 304 for members and 404 for others, and browsers must revalidate pictures', async () => {
    for (const suffix of ['/view', '/preview?width=64']) {
      const { headers } = await get(bea, kept.group, suffix)
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache' })
      expect(headers.vary).toContain('Cookie, X-Fallback-Cookies')
      const known = { 'if-none-match': headers.etag }
      const again = await get(bea, kept.group, suffix, known)
      expect([again.status, again.raw.length]).toEqual([304, 0])
      expect((await get(cleo, kept.group, suffix, known)).status).toBe(404)
      for (const id of [kept.public, kept.portrait, kept.unattached])
        expect((await get(ana, id, suffix)).headers['cache-control']).toBe('private, no-cache')
    }
  })

  test("F15 a page of another site that embeds a member's picture gets 404", async () => {
    const embedding = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }
    for (const suffix of ['/view', '/download', '/preview', '/preview?width=64']) {
      expect((await get(cleo, kept.public, suffix, embedding)).status).toBe(404)
      expect((await get(bea, kept.group, suffix, embedding)).status).toBe(404)
    }
    expect(
      (await get(cleo, kept.public, '/view', { ...embedding, 'sec-fetch-site': 'same-origin' })).status,
    ).toBe(200)
  })

  test.each([
    ['http://localhost:5999/', 'same-site'],
    ['http://localhost:3000/explore', 'same-origin'],
    ['https://evil.example/', 'same-origin'],
    ['nonsense', 'same-origin'],
  ])('F15 for a page of %s the resource policy of a picture is %s', async (referer, policy) => {
    for (const suffix of ['/view', '/preview?width=64', '/download']) {
      const { headers } = await get(cleo, kept.public, suffix, { referer })
      expect(headers['cross-origin-resource-policy']).toBe(policy)
      expect(headers.vary).toContain('Referer')
    }
  })
})

describe('the bytes', () => {
  test('SDK-14 view, download and preview have the right content type, name and length', async () => {
    const view = await get(ana, kept.unattached, '/view')
    expect(view.headers).toMatchObject({
      'content-type': 'image/jpeg',
      'content-length': String(view.raw.length),
      'content-disposition': `inline; filename="d_nde.jpg"; filename*=UTF-8''d%C3%B3nde.jpg`,
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    })
    const download = await get(cleo, kept.public, '/download')
    expect(download.headers['content-disposition']).toBe('attachment; filename="photo.png"')
    expect(await sharp(download.raw).metadata()).toMatchObject({ format: 'png', width: 1600, height: 1200 })
  })

  test('only the uploader sees the name of a file, and other members get a name by its type', async () => {
    const named = 'WhatsApp Image Maria Lopez, Calle Mayor 5.jpg'
    const dora = await w.join('Dora')
    const shown = await dora.upload(await createJpeg('#123456', 400, 300), named)
    await dora.call(createPostOperation, { caption: 'Domingo', location: 'Casa', tags: [], imageId: shown })
    const portrait = await dora.upload(await createPng(), 'Maria Lopez.png')
    await dora.request('PATCH', `/v1/databases/main/collections/users/documents/${dora.id}`, {
      data: { imageId: portrait },
    })
    for (const [id, name, neutral] of [
      [shown, named, 'photo.jpg'],
      [portrait, 'Maria Lopez.png', 'photo.png'],
    ] as const) {
      expect((await get(dora, id)).body.name).toBe(name)
      expect((await get(cleo, id)).body.name).toBe(neutral)
      for (const [suffix, kind] of [
        ['/view', 'inline'],
        ['/download', 'attachment'],
      ] as const) {
        const { headers } = await get(dora, id, suffix)
        expect(headers['content-disposition']).toContain(`${kind}; filename="${name}"`)
        expect((await get(cleo, id, suffix)).headers['content-disposition']).toBe(
          `${kind}; filename="${neutral}"`,
        )
      }
      expect(JSON.stringify((await get(cleo, id, '/preview')).headers)).not.toContain('Maria')
    }
  })

  test('F07 HTML inside a picture is removed, and nothing in a picture can run', async () => {
    const script = '<script>alert(1)</script>'
    const bytes = await createJpeg('#445566', 800, 600)
    const comment = Buffer.concat([Buffer.from([0xff, 0xfe, 0, script.length + 2]), Buffer.from(script)])
    const polyglot = Buffer.concat([bytes.subarray(0, 2), comment, bytes.subarray(2), Buffer.from(script)])
    const id = await ana.upload(polyglot, 'page.html')
    for (const suffix of ['/view', '/download', '/preview', '/preview?width=64']) {
      const { status, headers, raw } = await get(ana, id, suffix)
      expect([status, raw.includes('script')]).toEqual([200, false])
      expect(headers).toMatchObject({
        'content-type': 'image/jpeg',
        'content-security-policy': "default-src 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      })
    }
    await ana.request('DELETE', `${appwriteFilesPath}/${id}`)
  })

  test('SDK-14 a preview has the next larger width, and is WebP for clients that accept WebP', async () => {
    const webp = { accept: 'image/avif,image/webp,*/*' }
    const shown = async (query: string, headers = {}) => {
      const { raw, headers: answered } = await get(cleo, kept.public, `/preview${query}`, headers)
      const { format, width } = await sharp(raw).metadata()
      expect(answered['content-type']).toBe(`image/${format}`)
      expect(answered['content-length']).toBe(String(raw.length))
      return `${format} ${width}`
    }
    expect(await shown('?width=200', webp)).toBe('webp 256')
    expect(await shown('?width=200')).toBe('jpeg 256')
    expect(await shown('?width=0', webp)).toBe('webp 1600')
    expect(await shown('?width=4000', webp)).toBe('webp 1600')
    expect(await shown('?height=200', webp)).toBe('webp 320')
    expect(await shown('?width=64&output=png', webp)).toBe('png 64')
    expect(await shown('?width=64&output=JPG', webp)).toBe('jpeg 64')
    // Some clients send repeated and unknown parameters.
    expect(await shown('?width=64&width=64&project=juntas&impersonateuserid=', webp)).toBe('webp 64')
  })

  test('simultaneous requests for one width render the preview once', async () => {
    const before = listFilePathsBelow(dataDir).length
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => get(cleo, kept.public, '/preview?width=960')),
    )
    expect(new Set(answers.map(({ status, headers }) => `${status} ${headers.etag}`)).size).toBe(1)
    expect(listFilePathsBelow(dataDir).length).toBe(before + 1)
  })

  test.each([
    'width=-1',
    'width=1e9',
    'width=NaN',
    'width=4001',
    'height=x',
    'quality=101',
    'gravity=up',
    'borderWidth=101',
    'borderColor=red',
    'borderRadius=-1',
    'opacity=1.5',
    'rotation=361',
    'background=12345',
    'output=svg',
  ])('F12 preview?%s is refused with an error that names the parameter', async (query) => {
    const { status, body } = await get(cleo, kept.public, `/preview?${query}`)
    expect([status, body.type]).toEqual([400, 'general_argument_invalid'])
    expect(body.message).toContain(`\`${query.split('=')[0]}\``)
  })

  test('F09 no path reveals where the picture was taken', async () => {
    const id = await ana.upload(
      await sharp(await createPhoneJpegWithGps())
        .keepExif()
        .resize(1000)
        .jpeg()
        .toBuffer(),
    )
    for (const suffix of ['/view', '/download', '/preview', '/preview?width=64&output=png']) {
      const { raw } = await get(ana, id, suffix)
      expect(raw.toString('latin1')).not.toContain(gpsPositionFixture)
    }
    await ana.request('DELETE', `${appwriteFilesPath}/${id}`)
  })
})

describe('byte ranges', () => {
  test('a range request gets its part, an open range gets the rest, and an impossible range is refused', async () => {
    const whole = (await get(ana, kept.unattached, '/view')).raw
    const part = await get(ana, kept.unattached, '/view', { range: 'bytes=10-19' })
    expect(part).toMatchObject({
      status: 206,
      headers: {
        'content-range': `bytes 10-19/${whole.length}`,
        'content-length': '10',
        'accept-ranges': 'bytes',
      },
    })
    expect(part.raw.equals(whole.subarray(10, 20))).toBe(true)
    const rest = await get(ana, kept.unattached, '/download', { range: 'bytes=100-' })
    expect(rest.raw.equals(whole.subarray(100))).toBe(true)
    const size = whole.length
    for (const [range, start, end] of [
      ['bytes=0-0', 0, 0],
      ['bytes=-9', size - 9, size - 1],
      [`bytes=9-${size + 9}`, 9, size - 1],
    ] as const) {
      const answer = await get(ana, kept.unattached, '/view', { range })
      expect(answer).toMatchObject({
        status: 206,
        headers: { 'content-range': `bytes ${start}-${end}/${size}` },
      })
      expect(answer.raw.equals(whole.subarray(start, end + 1))).toBe(true)
    }
    for (const range of ['bytes=5-2', `bytes=${size}-`, 'bytes=-0'])
      expect(await get(ana, kept.unattached, '/view', { range })).toMatchObject({
        status: 416,
        body: { type: 'storage_invalid_range' },
        headers: { 'content-range': `bytes */${size}` },
      })
    for (const range of ['bytes=988', 'bytes=0-1,5-6', 'x'])
      expect((await get(ana, kept.unattached, '/view', { range })).raw.equals(whole)).toBe(true)
  })

  test('a range request for a changed picture gets the whole picture', async () => {
    const { status } = await get(ana, kept.unattached, '/view', { range: 'bytes=1-2', 'if-range': '"old"' })
    expect(status).toBe(200)
  })

  test('HEAD returns the headers of GET without the bytes', async () => {
    const { headers, raw } = await get(ana, kept.unattached, '/view')
    const head = await ana.request('HEAD', `${appwriteFilesPath}/${kept.unattached}/view`)
    expect(head.raw.length).toBe(0)
    for (const name of ['content-length', 'content-type', 'etag', 'cache-control']) {
      expect(head.headers[name]).toBe(headers[name])
    }
    expect(raw.length).toBeGreaterThan(0)
  })
})

describe('file records', () => {
  test('A17 the permissions of a profile picture show each reader only her own', async () => {
    const dora = await w.join('Dora')
    const imageId = await dora.upload(await createPng(), 'yo.png')
    await dora.call(updateProfileOperation, { personId: dora.id, imageId })
    const as = async (reader: MemberClient) =>
      (await reader.request<{ $permissions: string[] }>('GET', `/v1/storage/buckets/media/files/${imageId}`))
        .body.$permissions
    expect(await as(ana)).toEqual([`read("user:${ana.accountId}")`])
    expect(await as(dora)).toEqual(
      ['read', 'update', 'delete'].map((kind) => `${kind}("user:${dora.accountId}")`),
    )
  })

  test('SDK-13 the official client lists, reads, renames and deletes files', async () => {
    const storage = new appwriteSdk.Storage(createAppwriteSdkClient(url, bea))
    const id = await bea.upload(await createPng(), 'una.png')
    expect(await storage.listFiles('media')).toMatchObject({
      total: 1,
      files: [{ $id: id, name: 'una.png' }],
    })
    expect(await storage.getFile('media', id)).toMatchObject({
      bucketId: 'media',
      mimeType: 'image/png',
      chunksTotal: 1,
      chunksUploaded: 1,
      $permissions: ['read', 'update', 'delete'].map((kind) => `${kind}("user:${bea.accountId}")`),
    })
    expect((await storage.updateFile('media', id, 'otra.png')).name).toBe('otra.png')
    await storage.deleteFile('media', id)
    await expect(storage.getFile('media', id)).rejects.toMatchObject({
      code: 404,
      type: 'storage_file_not_found',
    })
  })

  test('A21 the permissions in a file request are validated and change nothing', async () => {
    const storage = new appwriteSdk.Storage(createAppwriteSdkClient(url, bea))
    const picture = new File([new Uint8Array(await createPng())], 'una.png', { type: 'image/png' })
    const everybody = ['read("any")', 'write("users")']
    const { $id, $permissions } = await storage.createFile('media', 'open', picture, everybody)
    expect($permissions.map((permission) => permission.replace(/\(.*/, ''))).toEqual([
      'read',
      'update',
      'delete',
    ])
    expect($permissions.join()).not.toMatch(/"any"|users/)
    const renamed = await storage.updateFile('media', $id, 'otra.png', everybody)
    expect(renamed.$permissions).toEqual($permissions)
    expect((await ana.request('GET', `${appwriteFilesPath}/${$id}`)).status).toBe(404)

    const refusal = { code: 400, type: 'general_argument_invalid' }
    await expect(storage.createFile('media', 'closed', picture, ['root'])).rejects.toMatchObject(refusal)
    await expect(storage.getFile('media', 'closed')).rejects.toMatchObject({ code: 404 })
    await expect(storage.updateFile('media', $id, 'x.png', ['root'])).rejects.toMatchObject(refusal)
    expect((await storage.getFile('media', $id)).name).toBe('otra.png')
    await storage.deleteFile('media', $id)
  })

  test('the file list of a member shows only her own uploads', async () => {
    const { body } = await ana.request<{ total: number; files: AppwriteFileResponse[] }>(
      'GET',
      appwriteFilesPath,
    )
    expect(body.files.map(({ $id }) => $id).sort()).toEqual(Object.values(kept).sort())
    expect(body.total).toBe(4)
    expect((await cleo.request<{ total: number }>('GET', appwriteFilesPath)).body.total).toBe(0)
  })

  test('F04 F13 a member cannot rename or delete the files of others', async () => {
    const put = (id: string) =>
      bea.request<{ type: string }>('PUT', `${appwriteFilesPath}/${id}`, { name: 'mine' })
    expect(await put(kept.public)).toMatchObject({ status: 401, body: { type: 'user_unauthorized' } })
    expect(await put(kept.unattached)).toMatchObject({ status: 404 })
    for (const id of [kept.public, kept.unattached]) {
      expect((await bea.request('DELETE', `${appwriteFilesPath}/${id}`)).status).toBe(404)
    }
    expect((await get(ana, kept.public)).body.name).toBe('plaza.png')
  })

  test('F13 the picture of a post cannot be deleted, and a released picture can be deleted repeatedly', async () => {
    const refused = await ana.request<{ type: string }>('DELETE', `${appwriteFilesPath}/${kept.public}`)
    expect(refused).toMatchObject({ status: 409, body: { type: 'storage_file_in_use' } })
    const imageId = await bea.upload(await createPng('#332211'))
    const post = { caption: 'Of a member', location: 'Oaxaca', tags: [], imageId, groupId: 'knit' }
    const { $id } = await bea.call(createPostOperation, post)
    // The admin of the post's group cannot delete the picture either.
    for (const [person, status] of [
      [ana, 404],
      [bea, 409],
    ] as const) {
      expect((await person.request('DELETE', `${appwriteFilesPath}/${imageId}`)).status).toBe(status)
    }
    await bea.call(deletePostOperation, { postId: $id })
    const released = await ana.upload(await createPng('#abcdef'))
    await w.database.pool.query(`update files set state = 'deleting' where public_id = $1`, [released])
    expect((await get(ana, released)).status).toBe(404)
    expect((await get(ana, released, '/view')).status).toBe(404)
    const deleted = await ana.request('DELETE', `${appwriteFilesPath}/${released}`)
    expect([deleted.status, deleted.headers['content-type']]).toEqual([204, undefined])
  })

  test('the bucket is reached by its name and its aliases only', async () => {
    const list = (person: Pick<MemberClient, 'request'>, bucket: string) =>
      person.request<{ type: string; total: number }>('GET', `/v1/storage/buckets/${bucket}/files`)
    expect((await list(ana, 'photos')).body.total).toBe(4)
    expect(await list(ana, 'other')).toMatchObject({
      status: 404,
      body: { type: 'storage_bucket_not_found' },
    })
    expect((await list(w.visitor, 'other')).status).toBe(401)
    const aliased = await sendRawUpload(ana, {
      bytes: await createPng(),
      path: '/v1/storage/buckets/photos/files',
    })
    expect(aliased.body.bucketId).toBe('photos')
    await ana.request('DELETE', `${appwriteFilesPath}/${aliased.body.$id}`)
  })
})
