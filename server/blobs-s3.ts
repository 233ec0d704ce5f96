/**
 * Blobs in a private bucket of any S3: `abcd…/original`. What travels waits on this node's disk; an object is whole or not
 * there at all, and durable once the store has said so.
 */
import type { IncomingMessage } from 'node:http'
import { PassThrough, pipeline } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type Blobs, checkedKey, checkedName, pieceName, type Range } from './blobs.ts'
import { openDiskBlobs } from './blobs-disk.ts'
import {
  createExchange,
  type Exchange,
  type S3Limits,
  type S3Settings,
  unavailable,
  usualLimits,
} from './s3-exchange.ts'

/**
 * @param settings path-style addresses; the bucket must exist and be nobody else's to read
 * @param scratchRoot a folder of this node for bytes on their way
 */
export async function openS3Blobs(
  settings: S3Settings,
  scratchRoot: string,
  limits: S3Limits = usualLimits,
): Promise<Blobs> {
  const exchange = createExchange(settings, limits)
  const { begin } = await openDiskBlobs(scratchRoot)

  const put = async (key: string, name: string, file: string) => {
    await settle(exchange, { method: 'PUT', path: pathOf(key, name), file })
  }

  return {
    begin,
    append: (key, piece, file) => put(key, pieceName(piece), file),

    async finish(key, files) {
      await Promise.all(Object.entries(files).map(([name, file]) => put(key, name, file)))
    },

    async open(key, name) {
      const path = pathOf(key, name)
      const answer = await settle(exchange, { method: 'HEAD', path })
      if (!answer) return null
      const whole = { path, size: Number(answer.headers['content-length']), tag: answer.headers.etag }
      return { size: whole.size, read: (range) => readableOf(exchange, whole, limits.retries, range) }
    },

    async remove(key, names) {
      const paths = names?.map((name) => pathOf(key, name)) ?? (await listed(exchange, checkedKey(key)))
      await Promise.all(paths.map((path) => settle(exchange, { method: 'DELETE', path })))
    },
  }
}

const pathOf = (key: string, name: string) => `/${checkedKey(key)}/${checkedName(name)}`

/**
 * A request whose answer has no body that matters.
 * @returns null for what is not there
 */
async function settle(exchange: Exchange, request: Parameters<Exchange['ask']>[0]) {
  const answer = await exchange.ask(request)
  await text(exchange.chunksOf(answer))
  return found(answer)
}

/** @throws Failure for an answer that is neither yes nor "not there": wrong keys, a bucket that is missing or moved */
function found(answer: IncomingMessage): IncomingMessage | null {
  const { statusCode = 0 } = answer
  if (statusCode === 404) return null
  if (statusCode >= 200 && statusCode < 300) return answer
  throw unavailable(answer)
}

/** Everything under a key: at most the pieces of one upload and its variants, far below one page of a listing. */
async function listed(exchange: Exchange, key: string): Promise<string[]> {
  const answer = await exchange.ask({
    method: 'GET',
    path: '',
    query: { 'list-type': '2', prefix: `${key}/` },
  })
  const listing = await text(exchange.chunksOf(answer))
  if (!found(answer)) throw unavailable(answer)
  return [...listing.matchAll(/<Key>([^<]+)<\/Key>/g)].flatMap(([, path = '']) =>
    path.startsWith(`${key}/`) ? [`/${path}`] : [],
  )
}

type Whole = { path: string; size: number; tag: string | undefined }

/** Whoever stops reading, a member's browser that left say, ends the reading from the store too. */
function readableOf(exchange: Exchange, whole: Whole, retries: number, range?: Range): PassThrough {
  const leaving = new AbortController()
  const out = new PassThrough()
  out.once('close', () => leaving.abort())
  // What goes wrong is told to whoever reads `out`.
  pipeline(bytesOf(exchange, whole, retries, range, leaving.signal), out, () => {})
  return out
}

/** Goes on where a connection broke off, as long as it is the same object. */
async function* bytesOf(
  exchange: Exchange,
  { path, size, tag }: Whole,
  retries: number,
  { start, end }: Range = { start: 0, end: size - 1 },
  signal: AbortSignal,
): AsyncGenerator<Buffer> {
  let next = start
  for (let broken = 0; next <= end; ) {
    const headers = { range: `bytes=${next}-${end}`, ...(tag ? { 'if-match': tag } : {}) }
    const answer = await exchange.ask({ method: 'GET', path, headers, signal })
    const cut = () => answer.destroy()
    signal.addEventListener('abort', cut)
    try {
      if (answer.statusCode !== 206) throw unavailable(answer)
      for await (const chunk of exchange.chunksOf(answer)) {
        next += chunk.length
        yield chunk
      }
      if (next <= end) throw new Error('The object store broke off')
    } catch (error) {
      broken += 1
      if (signal.aborted || broken > retries || answer.statusCode !== 206) throw unavailable(error as Error)
    } finally {
      signal.removeEventListener('abort', cut)
    }
  }
}
