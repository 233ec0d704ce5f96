/**
 * Paths have the form `abcd…/original`. Scratch files are on this node. Objects are atomic, and durable once
 * confirmed.
 */
import type { IncomingMessage } from 'node:http'
import { PassThrough, pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import {
  assertBlobKey,
  assertBlobName,
  type ByteRange,
  chunkBlobName,
  isBlobKey,
  isBlobName,
  type ListableBlobStore,
  type StoredKey,
} from './blob-store.ts'
import { openDiskBlobStore } from './disk-blob-store.ts'
import {
  createS3Client,
  defaultS3Limits,
  type S3Client,
  type S3Limits,
  type S3Settings,
  toS3Failure,
} from './s3-client.ts'

/**
 * @param settings the bucket must be private, and the server must accept path-style URLs
 * @param scratchRoot a folder on this node
 */
export async function openS3BlobStore(
  settings: S3Settings,
  scratchRoot: string,
  limits: S3Limits = defaultS3Limits,
): Promise<ListableBlobStore> {
  const client = createS3Client(settings, limits)
  const { begin } = await openDiskBlobStore(scratchRoot)

  const put = async (key: string, name: string, file: string) => {
    await requestStatus(client, { method: 'PUT', path: pathOf(key, name), file })
  }

  return {
    begin,
    append: (key, chunk, file) => put(key, chunkBlobName(chunk), file),

    async finish(key, files) {
      await Promise.all(Object.entries(files).map(([name, file]) => put(key, name, file)))
    },

    async open(key, name) {
      const path = pathOf(key, name)
      const answer = await requestStatus(client, { method: 'HEAD', path })
      if (!answer) return null
      const object = { path, size: Number(answer.headers['content-length']), tag: answer.headers.etag }
      return { size: object.size, read: (range) => openStream(client, object, limits.retries, range) }
    },

    async remove(key, names) {
      const paths = names?.map((name) => pathOf(key, name)) ?? (await listPaths(client, assertBlobKey(key)))
      await Promise.all(paths.map((path) => requestStatus(client, { method: 'DELETE', path })))
    },

    async *list(after = '') {
      // "0" follows "/", so this skips the key's own objects.
      const start: Record<string, string> = after ? { 'start-after': `${after}0` } : {}
      let current = null as StoredKey | null
      for await (const path of listObjects(client, start)) {
        const [key = '', name = '', ...more] = path.split('/')
        if (!isBlobKey(key) || !isBlobName(name) || more.length > 0) continue
        if (current && current.key !== key) yield current
        if (current?.key !== key) current = { key, names: [] }
        current.names.push(name)
      }
      if (current) yield current
    },
    async names(key) {
      const paths = await listPaths(client, assertBlobKey(key))
      return paths.map((path) => path.slice(key.length + 2)).filter(isBlobName)
    },
  }
}

const pathOf = (key: string, name: string) => `/${assertBlobKey(key)}/${assertBlobName(name)}`

async function requestStatus(client: S3Client, request: Parameters<S3Client['request']>[0]) {
  const answer = await client.request(request)
  await text(client.chunksOf(answer))
  return nullIfMissing(answer)
}

/** Returns null for a 404. @throws Failure for other errors, such as wrong credentials */
function nullIfMissing(answer: IncomingMessage): IncomingMessage | null {
  const { statusCode = 0 } = answer
  if (statusCode === 404) return null
  if (statusCode >= 200 && statusCode < 300) return answer
  throw toS3Failure(answer)
}

async function listPaths(client: S3Client, key: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of listObjects(client, { prefix: `${key}/` })) paths.push(`/${path}`)
  return paths
}

/** Lists objects in ascending order, in pages of up to 1000. */
async function* listObjects(client: S3Client, which: Record<string, string>): AsyncGenerator<string> {
  let page = which
  for (;;) {
    const answer = await client.request({ method: 'GET', path: '', query: { 'list-type': '2', ...page } })
    const listing = await text(client.chunksOf(answer))
    if (!nullIfMissing(answer)) throw toS3Failure(answer)
    for (const [, path = ''] of listing.matchAll(/<Key>([^<]+)<\/Key>/g)) yield path
    const token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(listing)?.[1]
    if (!token) return
    page = { ...which, 'continuation-token': token }
  }
}

type StoredObject = { path: string; size: number; tag: string | undefined }

/** Destroying the stream also aborts the request to the store. */
function openStream(client: S3Client, object: StoredObject, retries: number, range?: ByteRange): PassThrough {
  const leaving = new AbortController()
  const out = new PassThrough()
  out.once('close', () => leaving.abort())
  // `out` emits the error to its reader.
  pipeline(readResuming(client, object, retries, range, leaving.signal), out, () => {})
  return out
}

/** Resumes while the object's ETag stays the same. */
async function* readResuming(
  client: S3Client,
  { path, size, tag }: StoredObject,
  retries: number,
  { start, end }: ByteRange = { start: 0, end: size - 1 },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let next = start
  for (let failures = 0; next <= end; ) {
    const headers = { range: `bytes=${next}-${end}`, ...(tag ? { 'if-match': tag } : {}) }
    const answer = await client.request({ method: 'GET', path, headers, signal })
    const abort = () => answer.destroy()
    signal.addEventListener('abort', abort)
    try {
      if (answer.statusCode === 404) throw Object.assign(toS3Failure(answer), { code: 'ENOENT' })
      if (answer.statusCode !== 206) throw toS3Failure(answer)
      for await (const chunk of client.chunksOf(answer)) {
        next += chunk.length
        yield chunk
      }
      if (next <= end) throw new Error('The object store broke off')
    } catch (error) {
      failures += 1
      if (answer.statusCode !== 206) throw error
      if (signal.aborted || failures > retries) throw toS3Failure(error as Error)
    } finally {
      signal.removeEventListener('abort', abort)
    }
  }
}
