import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Config } from '../config.ts'
import { Failure } from '../errors.ts'

export type S3Settings = NonNullable<Config['s3']>

/** Milliseconds. `retries` counts attempts after the first. `backoff` comes before the first retry. */
export type S3Limits = { connect: number; idle: number; total: number; retries: number; backoff: number }

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** The path in the bucket, with a leading slash. An empty path means the bucket itself. */
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  file?: string
  signal?: AbortSignal
}

export type S3Client = {
  /**
   * Retries after connection errors, timeouts, 408, 429 and 5xx. The caller must read or destroy the
   * response.
   * @throws Failure general_service_unavailable
   */
  request(request: S3Request): Promise<IncomingMessage>
  /** Throws if the store sends nothing for `idle`, or if waiting for it takes longer than `total`. */
  chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer>
}

export const defaultS3Limits: S3Limits = {
  connect: 5000,
  idle: 15_000,
  total: 60_000,
  retries: 3,
  backoff: 100,
}

const maxHeadIdleMs = 5000

/** Further requests wait for a free socket, so that the store is not overloaded. */
const maxSockets = 64
const emptyBodyHash = createHash('sha256').digest('hex')

export function createS3Client(settings: S3Settings, limits: S3Limits): S3Client {
  const bucket = `${settings.endpoint.replace(/\/+$/, '')}/${settings.bucket}`
  const secure = bucket.startsWith('https:')
  const agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets })
  const begin = secure ? secureRequest : plainRequest

  const attempt = async (asked: S3Request, hash: string, size: number | undefined, signal: AbortSignal) => {
    const url = `${bucket}${asked.path}?${new URLSearchParams(asked.query)}`.replace(/\?$/, '')
    const headers = await signS3RequestHeaders(settings, { ...asked, url, hash }, new Date())
    if (size !== undefined) headers['content-length'] = String(size)
    const request = begin(url, { method: asked.method, headers, agent, signal })
    // A member waits for this answer, which the store can give from metadata.
    const idle = asked.method === 'HEAD' ? Math.min(limits.idle, maxHeadIdleMs) : limits.idle
    request.setTimeout(idle, () => request.destroy(new Error('The object store fell silent')))
    request.once('socket', (socket) => {
      if (!socket.connecting) return
      const timer = setTimeout(
        () => request.destroy(new Error('The object store could not be reached')),
        limits.connect,
      )
      socket.once(secure ? 'secureConnect' : 'connect', () => clearTimeout(timer))
      socket.once('close', () => clearTimeout(timer))
    })
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve).on('error', reject)
    })
    if (!asked.file) request.end()
    // The store may refuse before the whole body is sent.
    else pipeline(createReadStream(asked.file), request).catch((error) => request.destroy(error))
    return answered
  }

  return {
    async request(asked) {
      const [hash, size] = asked.file
        ? await Promise.all([sha256File(asked.file), stat(asked.file).then((file) => file.size)])
        : [emptyBodyHash, undefined]
      const timedOut = new AbortController()
      const deadline = setTimeout(() => timedOut.abort(), limits.total)
      const signal = asked.signal ? AbortSignal.any([timedOut.signal, asked.signal]) : timedOut.signal
      try {
        for (let tried = 0; ; tried += 1) {
          const outcome = await attempt(asked, hash, size, signal).catch((error: Error) => error)
          if (!(outcome instanceof Error) && !isTransient(outcome)) return outcome
          if (!(outcome instanceof Error)) outcome.destroy()
          if (tried === limits.retries || signal.aborted) throw toS3Failure(outcome)
          await pause(limits.backoff * 2 ** tried * (0.5 + Math.random() / 2))
        }
      } finally {
        clearTimeout(deadline)
      }
    },

    async *chunksOf(answer) {
      // Only waiting for the store counts, not a slow reader.
      answer.setTimeout(0)
      const chunks = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
      let left = limits.total
      try {
        for (;;) {
          const asked = Date.now()
          const timer = setTimeout(
            () => answer.destroy(new Error('The object store fell silent')),
            Math.min(limits.idle, left),
          )
          const next = await chunks.next().finally(() => clearTimeout(timer))
          if (next.done) return
          left -= Date.now() - asked
          yield next.value
        }
      } finally {
        answer.destroy()
      }
    },
  }
}

/** Deriving a day's key takes four more HMACs, which cost more than the rest of a small request. */
const signingKeys = new Map<string, ArrayBuffer>()

/** The headers follow AWS Signature Version 4. The hash lets the store detect changed bytes. */
export async function signS3RequestHeaders(
  settings: Pick<S3Settings, 'region' | 'accessKeyId' | 'secretAccessKey'>,
  request: { method: string; url: string; headers?: Record<string, string>; hash: string },
  at: Date,
): Promise<Record<string, string>> {
  const { region, accessKeyId, secretAccessKey } = settings
  const signer = new AwsV4Signer({
    method: request.method,
    url: request.url,
    headers: { ...request.headers, 'x-amz-content-sha256': request.hash },
    region,
    accessKeyId,
    secretAccessKey,
    service: 's3',
    cache: signingKeys,
    datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}

export function toS3Failure(cause: Error | IncomingMessage): Failure {
  const reason =
    cause instanceof Error ? cause : new Error(`The object store answered ${cause.statusCode ?? 'nothing'}`)
  return new Failure('general_service_unavailable', { retryAfter: 10, cause: reason })
}

const isTransient = ({ statusCode = 0 }: IncomingMessage) =>
  statusCode >= 500 || statusCode === 429 || statusCode === 408

async function sha256File(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
