import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { stopClock } from '#tests/support/stop-clock.ts'
import { patienceMs } from '#tests/support/wait-for.ts'
import { openS3BlobStore } from './s3-blob-store.ts'
import type { S3Limits } from './s3-client.ts'

const key = 'ab'.repeat(16)
const patient: S3Limits = {
  connect: patienceMs,
  idle: patienceMs,
  total: patienceMs,
  retries: 3,
  backoff: 1,
}
/** The idle timeout for a store that stops responding. */
const shortIdle = 50
const picture = '0123456789'

/** A scripted S3 server. */
let store: Server
let asked: IncomingMessage[]
let answer: (request: IncomingMessage, response: ServerResponse) => void
let scratch: string
beforeEach(async () => {
  asked = []
  scratch = mkdtempSync(join(tmpdir(), 'juntas-s3-scratch-'))
  store = createServer((request, response) => {
    asked.push(request)
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(store, 'listening')
})
afterEach(() => {
  store.closeAllConnections()
  store.close()
  rmSync(scratch, { recursive: true })
})

const open = (limits = patient) =>
  openS3BlobStore(
    {
      endpoint: `http://127.0.0.1:${(store.address() as AddressInfo).port}/`,
      bucket: 'files',
      region: 'auto',
      accessKeyId: 'AKIA',
      secretAccessKey: 'secret',
    },
    scratch,
    limits,
  )

/** Answers a HEAD or range request. */
const describePicture = (response: ServerResponse) =>
  response.writeHead(200, { 'content-length': picture.length, etag: '"one"' }).end()
function partOf(request: IncomingMessage): string {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
  return picture.slice(Number(start), Number(end) + 1)
}

async function fileOf(content: string): Promise<string> {
  writeFileSync(join(scratch, 'file'), content)
  return join(scratch, 'file')
}

describe('F16 an unreliable S3 store', () => {
  test('the server repeats a failed request four times with the same key, and the fourth may succeed', async () => {
    answer = (request, response) => {
      request.resume()
      request.once('end', () => response.writeHead(asked.length < 4 ? 503 : 200).end())
    }
    await (await open()).finish(key, { original: await fileOf(picture) })
    expect(asked.map(({ method, url }) => `${method} ${url}`)).toEqual(
      Array(4).fill(`PUT /files/${key}/original`),
    )
    expect(new Set(asked.map(({ headers }) => headers['x-amz-content-sha256'])).size).toBe(1)
    expect(asked[0]?.headers).toMatchObject({ 'content-length': '10' })
  })

  test('a store that never recovers causes a 503 for the member', async () => {
    answer = (request, response) => {
      request.resume()
      response.writeHead(503).end()
    }
    const refusal = { type: 'general_service_unavailable', status: 503 }
    await expect((await open()).open(key, 'original')).rejects.toMatchObject(refusal)
    expect(asked).toHaveLength(4)
  })

  test('a store that forbids access is not asked again', async () => {
    answer = (_, response) => response.writeHead(403).end()
    await expect((await open()).open(key, 'original')).rejects.toMatchObject({ status: 503 })
    expect(asked).toHaveLength(1)
  })

  test('the server gives up on a store that does not answer', async () => {
    answer = () => {}
    const blobs = await open({ ...patient, idle: shortIdle })
    await expect(blobs.open(key, 'original')).rejects.toMatchObject({ status: 503 })
    expect(asked.length).toBeGreaterThan(1)
  })

  test('the server gives up on a store that is unreachable', async () => {
    const blobs = await open()
    store.close()
    await once(store, 'close')
    await expect(blobs.open(key, 'original')).rejects.toMatchObject({ status: 503 })
  })

  test('after an interrupted download the server requests the rest of the same object', async () => {
    answer = (request, response) => {
      if (request.method === 'HEAD') return describePicture(response)
      const part = partOf(request)
      response.writeHead(206, { 'content-length': part.length })
      response.write(part.slice(0, 4), () => (part.length > 4 ? response.destroy() : response.end()))
    }
    const opened = await (await open()).open(key, 'original')
    expect(opened && (await text(opened.read()))).toBe(picture)
    expect(asked.slice(1).map(({ headers }) => [headers.range, headers['if-match']])).toEqual([
      ['bytes=0-9', '"one"'],
      ['bytes=4-9', '"one"'],
      ['bytes=8-9', '"one"'],
    ])
  })

  test('a store that stops sending midway ends the download', async () => {
    answer = (request, response) => {
      if (request.method === 'HEAD') return describePicture(response)
      const part = partOf(request)
      response.writeHead(206, { 'content-length': part.length }).flushHeaders()
    }
    const limits = { ...patient }
    const opened = await (await open(limits)).open(key, 'original')
    limits.idle = shortIdle
    await expect(text(opened?.read() as never)).rejects.toMatchObject({ status: 503 })
  })
})

test('F16 when a client disconnects, the download from the store ends', async () => {
  let hungUp: Promise<unknown> | undefined
  answer = (request, response) => {
    if (request.method === 'HEAD') {
      response.writeHead(200, { 'content-length': 1e9 }).end()
      return
    }
    hungUp = once(response, 'close')
    response.writeHead(206, { 'content-length': 1e9 })
    response.write(Buffer.alloc(1e6))
  }
  const opened = await (await open()).open(key, 'original')
  const reading = opened?.read()
  await once(reading as never, 'readable')
  reading?.destroy()
  await hungUp
  expect(asked).toHaveLength(2)
})

test('a reader slower than the time limits still receives everything', async () => {
  const size = 8_000_000
  answer = (request, response) => {
    response.writeHead(request.method === 'HEAD' ? 200 : 206, { 'content-length': size })
    response.end(request.method === 'HEAD' ? '' : 'x'.repeat(size))
  }
  const connections: Socket[] = []
  const remember = (message: unknown) => void connections.push((message as { socket: Socket }).socket)
  subscribe('net.client.socket', remember)
  stopClock()
  const opened = await (await open()).open(key, 'original')
  const reading = opened?.read() as PassThrough
  while (!reading.writableNeedDrain) await nextTurn()
  unsubscribe('net.client.socket', remember)
  vi.advanceTimersByTime(2 * patienceMs)
  expect(connections.at(-1)?.timeout).toBe(0)
  expect((await text(reading)).length).toBe(size)
})

test('a list continues across pages in key order, and omits foreign objects', async () => {
  const [first, second] = ['a'.repeat(32), 'b'.repeat(32)] as const
  const pages = [
    `<Key>${first}/original</Key><Key>${first}/64.webp</Key><NextContinuationToken>a+b=</NextContinuationToken>`,
    `<Key>${first}/320.webp</Key><Key>${second}/original</Key><Key>letters/one.txt</Key><Key>readme</Key>`,
  ]
  answer = (_, response) => response.end(`<ListBucketResult>${pages[asked.length - 1]}</ListBucketResult>`)
  const blobs = await open()
  const found = []
  for await (const stored of blobs.list('9'.repeat(32))) found.push(stored)
  expect(found).toEqual([
    { key: first, names: ['original', '64.webp', '320.webp'] },
    { key: second, names: ['original'] },
  ])
  const queries = asked.map(({ url }) => new URL(url ?? '', 'http://s3').searchParams)
  expect(queries.map((query) => [query.get('start-after'), query.get('continuation-token')])).toEqual([
    [`${'9'.repeat(32)}0`, null],
    [`${'9'.repeat(32)}0`, 'a+b='],
  ])
})
