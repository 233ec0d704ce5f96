import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  type AppwriteFileResponse,
  appwriteFilesPath,
  encodeMultipartUpload,
  sendRawUpload,
  sliceUploadChunk,
} from '#api-client/raw-multipart-upload.ts'
import { createJpeg, createNoisePng, createPng, padPngToSize } from '#scripts/harness/image-fixtures.ts'
import {
  createDisguisedFiles,
  createHugePngHeader,
  createPngColorProfileBomb,
  createPngTextBomb,
} from '#scripts/harness/malicious-images.ts'
import { listFilePathsBelow } from '#tests/support/list-files-below.ts'
import { appwriteSdk, createAppwriteSdkClient } from '../../../tests/appwrite/sdk/load-sdk.ts'
import { listenAndGetRealtimeUrl } from '../../../tests/support/test-socket.ts'
import { createTestWorld, type TestWorld } from '../../../tests/support/world.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'juntas-uploads-'))
let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let url: string
let twelveMegabytes: Buffer
beforeAll(async () => {
  w = await createTestWorld({ DATA_DIR: dataDir })
  ;[ana, bea] = [await w.join('Ana'), await w.join('Bea')]
  url = await w.app.listen({ port: 0, host: '127.0.0.1' })
  twelveMegabytes = padPngToSize(await createNoisePng(1500, 1500), 12 * 1024 * 1024)
})
afterAll(async () => {
  await w.end()
  rmSync(dataDir, { recursive: true, force: true })
})
/** After every test, no partial files may remain. */
afterEach(async () => {
  const { rows } = await w.database.pool.query<{ public_id: string; owner_id: number }>(
    'select public_id from files',
  )
  for (const { public_id } of rows) {
    for (const person of [ana, bea]) await person.request('DELETE', `${appwriteFilesPath}/${public_id}`)
  }
  const left = await w.database.pool.query('select from files')
  expect(left.rowCount).toBe(0)
  expect(listFilePathsBelow(dataDir)).toEqual([])
})

const stored = async (person: MemberClient, id: string) =>
  (await person.request<AppwriteFileResponse>('GET', `${appwriteFilesPath}/${id}`)).body

describe('a picture in chunks', () => {
  test('UPL-10 SDK-13 the official client sends 12 MB in three chunks under one id', async () => {
    const ranges: string[] = []
    w.app.server.on('request', ({ method, headers }) => {
      if (method === 'POST') ranges.push(`${headers['content-range']} ${headers['x-appwrite-id'] ?? '-'}`)
    })
    const progress: number[] = []
    const file = await new appwriteSdk.Storage(createAppwriteSdkClient(url, ana)).createFile(
      'media',
      appwriteSdk.ID.unique(),
      new File([new Uint8Array(twelveMegabytes)], 'twelve.png', { type: 'image/png' }),
      undefined,
      ({ chunksUploaded }) => progress.push(chunksUploaded),
    )
    expect(ranges).toEqual([
      'bytes 0-5242879/12582912 -',
      `bytes 5242880-10485759/12582912 ${file.$id}`,
      `bytes 10485760-12582911/12582912 ${file.$id}`,
    ])
    expect(progress).toEqual([1, 2, 3])
    expect(file).toMatchObject({
      name: 'twelve.png',
      mimeType: 'image/png',
      chunksTotal: 3,
      chunksUploaded: 3,
    })
    expect(file.signature).toMatch(/^[0-9a-f]{32}$/)
  })

  test('UPL-10 an interrupted upload continues where it stopped', async () => {
    const first = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'broken-off' })
    expect(first).toMatchObject({
      status: 201,
      body: { $id: 'broken-off', chunksTotal: 3, chunksUploaded: 1 },
    })
    expect(await stored(ana, 'broken-off')).toMatchObject({ chunksUploaded: 1, signature: '', mimeType: '' })
    expect((await ana.request('GET', `${appwriteFilesPath}/broken-off/view`)).status).toBe(404)
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 1), continues: 'broken-off' })
    const last = await sendRawUpload(ana, {
      ...sliceUploadChunk(twelveMegabytes, 2),
      continues: 'broken-off',
    })
    expect(last.body).toMatchObject({ chunksUploaded: 3, mimeType: 'image/png' })
  })

  test('chunks that arrive in any order, repeatedly and simultaneously make one file', async () => {
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'shuffled' })
    const rest = [2, 2, 1, 1].map((number) =>
      sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, number), continues: 'shuffled' }),
    )
    const answers = await Promise.all(rest)
    expect(answers.map(({ status }) => status).filter((status) => status !== 201 && status !== 409)).toEqual(
      [],
    )
    expect(answers.some(({ body }) => body.chunksUploaded === 3)).toBe(true)
    const view = await ana.request('GET', `${appwriteFilesPath}/shuffled/view`)
    const whole = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'in-order' })
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 1), continues: whole.body.$id })
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 2), continues: whole.body.$id })
    expect(view.raw.equals((await ana.request('GET', `${appwriteFilesPath}/in-order/view`)).raw)).toBe(true)
    expect(listFilePathsBelow(dataDir).filter((path) => path.includes('piece-'))).toEqual([])
  })

  test('F10 four simultaneous uploads under one id make one file, and nothing is stored twice', async () => {
    const bytes = await createNoisePng(600, 600)
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => sendRawUpload(ana, { bytes, fileId: 'at-once' })),
    )
    const file = await stored(ana, 'at-once')
    // Requests that arrive during rendering get the picture. Later requests get an error about the taken id.
    for (const { status, body } of answers) {
      if (status === 201) expect(body).toEqual(file)
      else expect([status, body.type]).toEqual([409, 'storage_file_already_exists'])
    }
    expect(answers.map(({ status }) => status)).toContain(201)
    expect(listFilePathsBelow(dataDir).filter((path) => path.includes('piece-'))).toEqual([])
    const { body } = await ana.request<{ total: number }>('GET', appwriteFilesPath)
    expect(body.total).toBe(1)
  })

  test('a chunk after a gap is not counted, so that the client resumes at the gap', async () => {
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'gap' })
    const third = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 2), continues: 'gap' })
    expect(third.body.chunksUploaded).toBe(1)
  })

  test('sending the last chunk again completes an upload that a killed server left unfinished', async () => {
    for (const number of [0, 1])
      await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, number), fileId: 'killed' })
    // This is the state after a crash: every chunk is recorded, but the file is unfinished.
    await w.database.pool.query(
      `insert into file_chunks select id, 2, 1 from files where public_id = 'killed'`,
    )
    expect(await stored(ana, 'killed')).toMatchObject({ chunksUploaded: 2, signature: '' })
    const again = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 2), continues: 'killed' })
    expect(again).toMatchObject({ status: 201, body: { chunksUploaded: 3, mimeType: 'image/png' } })
  })

  test('a file of exactly 5 MB is uploaded in one request', async () => {
    const bytes = padPngToSize(await createPng(), 5 * 1024 * 1024)
    expect((await sendRawUpload(ana, { bytes })).body).toMatchObject({ chunksTotal: 1, chunksUploaded: 1 })
  })
})

describe('F10 chunks that do not fit', () => {
  test.each([
    'bytes 5-2/3',
    'bytes 0-0/0',
    'bytes 0-99/9223372036854775808',
    'bytes 0-5242879',
    'bytes 1-5242880/12582912',
    'bytes 0-5242878/12582912',
    'bytes 0-12582911/12582912',
    'bytes 12582912-12582913/12582912',
    'octets 0-5242879/12582912',
    '',
  ])('the Content-Range "%s" is refused before anything is stored', async (range) => {
    const answer = await sendRawUpload(ana, { bytes: Buffer.alloc(100), range })
    expect(answer).toMatchObject({ status: 400, body: { type: 'storage_invalid_content_range' } })
  })

  test('a chunk whose length differs from its Content-Range is refused', async () => {
    const { range } = sliceUploadChunk(twelveMegabytes, 0)
    const answer = await sendRawUpload(ana, { bytes: Buffer.alloc(100), range })
    expect(answer).toMatchObject({ status: 400, body: { type: 'storage_invalid_content_range' } })
  })

  test('an upload whose total size changes between chunks is refused', async () => {
    await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'changing' })
    const other = sliceUploadChunk(twelveMegabytes.subarray(0, -1), 1)
    const answer = await sendRawUpload(ana, { ...other, continues: 'changing' })
    expect(answer).toMatchObject({ status: 400, body: { type: 'storage_invalid_content_range' } })
  })

  test('an upload of a terabyte, or of one byte over 50 MB, is refused at its first chunk', async () => {
    for (const total of [1e12, 50_000_001]) {
      const answer = await sendRawUpload(ana, { bytes: Buffer.alloc(100), range: `bytes 0-5242879/${total}` })
      expect(answer).toMatchObject({ status: 400, body: { type: 'storage_invalid_file_size' } })
    }
  })

  test('more than 5 MB in one request is refused with a hint about chunks', async () => {
    const answer = await sendRawUpload(ana, { bytes: twelveMegabytes })
    expect(answer).toMatchObject({ status: 413, body: { type: 'general_payload_too_large' } })
    expect(answer.body.message).toContain('Content-Range')
  })

  test('a fourth upload is refused while three are in progress, and replaces an idle upload', async () => {
    for (const fileId of ['one', 'two', 'three']) {
      expect((await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId })).status).toBe(201)
    }
    const fourth = { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'four' }
    expect(await sendRawUpload(ana, fourth)).toMatchObject({ status: 429, headers: { 'retry-after': '10' } })
    expect((await sendRawUpload(bea, { ...fourth, fileId: 'of-bea' })).status).toBe(201)
    await age('two', '6 minutes')
    expect((await sendRawUpload(ana, fourth)).status).toBe(201)
    const late = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 1), continues: 'two' })
    expect(late).toMatchObject({ status: 404, body: { type: 'storage_file_not_found' } })
    await w.database.pool.query(`delete from files where public_id = 'two'`)
  })
})

async function age(id: string, by: string): Promise<void> {
  await w.database.pool.query('alter table files disable trigger files_touch')
  await w.database.pool.query(
    'update files set updated_at = updated_at - $2::interval, created_at = created_at - $2::interval where public_id = $1',
    [id, by],
  )
  await w.database.pool.query('alter table files enable trigger files_touch')
}

describe('invalid pictures', () => {
  test('UPL-05 F06 a file named .png with other content is refused', async () => {
    for (const [kind, bytes] of Object.entries(await createDisguisedFiles())) {
      const answer = await sendRawUpload(ana, { bytes, name: `${kind}.png` })
      expect(answer, kind).toMatchObject({
        status: 400,
        body: { type: 'storage_file_type_unsupported', field: 'file' },
      })
      expect(answer.body.message).toMatch(/^File extension not allowed/)
    }
  })

  test('a text file in chunks is refused at its first chunk', async () => {
    const text = Buffer.alloc(6e6, 'All work and no play. ')
    expect((await sendRawUpload(ana, sliceUploadChunk(text, 0))).body.type).toBe(
      'storage_file_type_unsupported',
    )
  })

  test('F08 decompression bombs are refused within seconds, and the memory of the server process does not grow', async () => {
    const bombs: [Buffer, string][] = [
      [await createPngTextBomb('zTXt'), 'storage_file_damaged'],
      [await createPngTextBomb('iTXt'), 'storage_file_damaged'],
      [await createPngColorProfileBomb(), 'storage_file_damaged'],
      [await createHugePngHeader(30_000, 30_000), 'storage_image_too_large'],
      [(await createJpeg()).subarray(0, 2000), 'storage_file_damaged'],
    ]
    await sendRawUpload(ana, { bytes: await createPng() })
    const before = process.memoryUsage().rss
    let peak = before
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 5)
    for (const [bytes, type] of bombs) {
      expect(await sendRawUpload(ana, { bytes })).toMatchObject({ status: 400, body: { type } })
    }
    clearInterval(watch)
    expect(peak - before).toBeLessThan(50e6)
  })

  test('an empty file, a missing file, a missing id and a missing form get different errors', async () => {
    const bytes = await createPng()
    const refusal = async (upload: Parameters<typeof sendRawUpload>[1]) => {
      const { status, body } = await sendRawUpload(ana, upload)
      return [status, body.type, body.field]
    }
    expect(await refusal({ bytes: Buffer.alloc(0) })).toEqual([400, 'storage_file_empty', 'file'])
    expect(await refusal({ bytes, parts: ['fileId'] })).toEqual([400, 'storage_file_empty', 'file'])
    expect(await refusal({ bytes, parts: ['file'] })).toEqual([400, 'general_argument_invalid', 'fileId'])
    expect(await refusal({ bytes, fileId: '../x' })).toEqual([400, 'general_argument_invalid', 'fileId'])
    expect(await refusal({ bytes, continues: 'unique()' })).toEqual([
      400,
      'storage_invalid_appwrite_id',
      undefined,
    ])
    const json = await ana.request<{ type: string }>('POST', appwriteFilesPath, { fileId: 'x' })
    expect([json.status, json.body.type]).toEqual([415, 'general_content_type_invalid'])
  })

  const part = '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nb\r\n'
  test.each([
    ['of a hundred thousand parts', part.repeat(100_000), 413],
    ['of a hundred thousand parts with nothing in them', '--x\r\n\r\n\r\n'.repeat(100_000), 413],
    ['of twenty-two parts', part.repeat(22), 413],
    ['with a field of ten megabytes', part.replace('b', 'b'.repeat(1e7)), 413],
    ['with a field of four megabytes', part.replace('b', 'b'.repeat(4e6)), 400],
  ])(
    'D03 a form %s is refused, and the memory of the server process does not grow',
    async (_, parts, status) => {
      // The form is sent over a real connection, so that it arrives in parts.
      const { host } = new URL(await listenAndGetRealtimeUrl(w.app))
      const body = Buffer.from(`${parts}--x--\r\n`)
      const before = process.memoryUsage().rss
      const answer = await fetch(`http://${host}${appwriteFilesPath}`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'multipart/form-data; boundary=x', cookie: ana.cookie },
      })
      expect([answer.status, await answer.json()]).toMatchObject([
        status,
        { type: expect.stringMatching(/^(general|storage)_/) },
      ])
      expect(process.memoryUsage().rss - before).toBeLessThan(50e6)
    },
  )
})

describe('ownership of uploads', () => {
  test("F04 bea cannot write into ana's upload or learn anything about the upload", async () => {
    const first = await sendRawUpload(ana, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'of-ana' })
    expect(first.status).toBe(201)
    const taken = await sendRawUpload(bea, { ...sliceUploadChunk(twelveMegabytes, 0), fileId: 'of-ana' })
    expect(taken).toMatchObject({ status: 409, body: { type: 'storage_file_already_exists' } })
    const into = await sendRawUpload(bea, { ...sliceUploadChunk(twelveMegabytes, 1), continues: 'of-ana' })
    expect(into).toMatchObject({ status: 404, body: { type: 'storage_file_not_found' } })
    expect((await bea.request('DELETE', `${appwriteFilesPath}/of-ana`)).status).toBe(404)
    expect(await stored(ana, 'of-ana')).toMatchObject({ chunksUploaded: 1 })
  })

  test("F04 bea cannot change ana's finished picture, and its bytes stay the same", async () => {
    const { body } = await sendRawUpload(ana, { bytes: await createPng(), fileId: 'whole' })
    const view = async () => (await ana.request('GET', `${appwriteFilesPath}/whole/view`)).raw
    const before = await view()
    expect(await sendRawUpload(bea, { bytes: await createPng('#000000'), fileId: 'whole' })).toMatchObject({
      status: 409,
      body: { type: 'storage_file_already_exists' },
    })
    const into = await sendRawUpload(bea, { ...sliceUploadChunk(twelveMegabytes, 1), continues: 'whole' })
    expect(into).toMatchObject({ status: 404, body: { type: 'storage_file_not_found' } })
    expect((await bea.request('PUT', `${appwriteFilesPath}/whole`, { name: 'mine.png' })).status).toBe(404)
    expect(await stored(ana, 'whole')).toEqual(body)
    expect((await view()).equals(before)).toBe(true)
  })

  test('a finished picture accepts no further chunk', async () => {
    const { body } = await sendRawUpload(ana, { bytes: await createPng(), fileId: 'done' })
    expect(body.$id).toBe('done')
    for (const upload of [{ fileId: 'done' }, { continues: 'done' }]) {
      const again = await sendRawUpload(ana, { bytes: await createPng('#000000'), ...upload })
      expect(again).toMatchObject({ status: 409, body: { type: 'storage_file_already_exists' } })
    }
    expect(await stored(ana, 'done')).toMatchObject({ signature: body.signature })
  })

  test('a visitor cannot upload a file', async () => {
    expect((await sendRawUpload(w.visitor, { bytes: await createPng() })).status).toBe(401)
  })
})

describe('F05 file names', () => {
  /** A file name in the header is plain text in quotes, optionally followed by its percent-encoded form. */
  const encoded = /^attachment; filename="[ !#-[\]-~]*"(; filename\*=UTF-8''[\w.!~%-]+)?$/
  const dispositionOf = async ({ $id }: AppwriteFileResponse) =>
    (await ana.request('GET', `${appwriteFilesPath}/${$id}/download`)).headers['content-disposition']

  test('a file name with a line break cannot break out of a header', async () => {
    const { body, headers } = await encodeMultipartUpload({ bytes: await createPng(), name: 'NAME' })
    for (const name of ['a\nb.png', 'a\r\nset-cookie: a=1\r\n b.png', 'a\0b.png']) {
      const sent = Buffer.from(body.toString('latin1').replace('NAME', name), 'latin1')
      const answer = await ana.request<AppwriteFileResponse>('POST', appwriteFilesPath, sent, headers)
      expect(answer.status).toBeOneOf([201, 400])
      if (answer.status === 201) expect(await dispositionOf(answer.body)).toMatch(encoded)
    }
  })

  test.each([
    ['../../etc/x.png', 'x.png'],
    ['..\\..\\x.png', 'x.png'],
    ['año nuevo 🎉.png', 'año nuevo 🎉.png'],
    ['gpj.\u202Eexe.png', 'gpj.exe.png'],
    ['a\u0000b.png', 'ab.png'],
    ['%00.png', '%00.png'],
    ['..', 'picture'],
    ['"; filename=x.html', '%22; filename=x.html'],
    ['CON', 'CON'],
    ['\u200b', 'picture'],
    ['x'.repeat(300), 'x'.repeat(255)],
  ])('the file name %j is shown as %j, and the bytes are stored under a random key', async (name, shown) => {
    const { body } = await sendRawUpload(ana, { bytes: await createPng(), name })
    expect(body.name).toBe(shown)
    expect(await dispositionOf(body)).toMatch(encoded)
    const paths = listFilePathsBelow(dataDir).map((path) => path.slice(dataDir.length))
    expect(
      paths.every((path) => /^\/files\/[a-z0-9]{2}\/[a-z0-9]{32}\/(original|\d+\.webp)$/.test(path)),
    ).toBe(true)
  })
})

/** Starts an upload by Ana that has sent the given share of its bytes. */
function openUpload({ body, headers }: Awaited<ReturnType<typeof encodeMultipartUpload>>, share: number) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const lines = Object.entries({ ...headers, host: `${hostname}:${port}`, cookie: ana.cookie })
  socket.write(
    `POST ${appwriteFilesPath} HTTP/1.1\r\n${lines.map(([key, value]) => `${key}: ${value}`).join('\r\n')}\r\ncontent-length: ${body.length}\r\n\r\n`,
  )
  socket.write(body.subarray(0, Math.floor(body.length * share)))
  return socket
}

test("F10 D01 while sixteen of ana's uploads are in progress, her next upload is refused and bea's is accepted", async () => {
  const bytes = await createNoisePng(600, 600)
  const form = await encodeMultipartUpload({ bytes })
  const sockets = Array.from({ length: 16 }, () => openUpload(form, 0.5))
  await expect.poll(() => listFilePathsBelow(dataDir).length).toBe(16)
  const { status, headers, body } = await sendRawUpload(ana, { bytes })
  expect([status, body.type, headers['retry-after']]).toEqual([429, 'general_rate_limit_exceeded', '10'])
  await expect(ana.upload(bytes)).rejects.toThrow('429')
  expect((await sendRawUpload(bea, { bytes })).status).toBe(201)
  for (const socket of sockets) socket.destroy()
  await expect.poll(async () => (await sendRawUpload(ana, { bytes })).status).toBe(201)
})

describe('F11 an upload that is cut off', () => {
  test.each([0.01, 0.5, 0.99])(
    'an upload cut off at %d of its length leaves nothing behind',
    async (share) => {
      const socket = openUpload(await encodeMultipartUpload({ bytes: await createNoisePng(600, 600) }), share)
      await expect.poll(() => listFilePathsBelow(dataDir).length).toBe(1)
      socket.destroy()
      await once(socket, 'close')
      await expect.poll(() => listFilePathsBelow(dataDir)).toEqual([])
      expect((await ana.request('GET', '/v1/ping')).status).toBe(200)
    },
  )
})

test('F11 an upload cut off after its last byte is complete or missing, and can be sent again', async () => {
  const bytes = await createNoisePng(600, 600)
  const { body, headers } = await encodeMultipartUpload({ bytes, fileId: 'unheard' })
  const sending = request(`${url}${appwriteFilesPath}`, {
    method: 'POST',
    headers: { ...headers, cookie: ana.cookie, 'content-length': body.length },
  })
  sending.on('error', () => {})
  await new Promise<void>((resolve) => sending.end(body, resolve))
  sending.destroy()
  // While the server renders the picture, the upload below would get another status.
  await expect.poll(async () => (await stored(ana, 'unheard')).signature).not.toBe('')
  expect((await sendRawUpload(ana, { bytes, fileId: 'unheard' })).status).toBeOneOf([201, 409])
  const file = await stored(ana, 'unheard')
  expect(file).toMatchObject({ chunksUploaded: 1, mimeType: 'image/png' })
  const { status, raw } = await ana.request('GET', `${appwriteFilesPath}/unheard/view`)
  expect([status, raw.length]).toEqual([200, file.sizeOriginal])
})

test('the stored file contains only the picture, without surrounding data', async () => {
  const bytes = padPngToSize(await createPng(), 100_000)
  const { body } = await sendRawUpload(ana, { bytes })
  expect(body.sizeOriginal).toBeLessThan(10_000)
  const original = listFilePathsBelow(dataDir).find((path) => path.endsWith('original')) as string
  expect(readFileSync(original).includes('juNk')).toBe(false)
})
