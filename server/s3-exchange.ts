/**
 * Signed requests to one bucket, each bounded in time and asked again when the store stumbles (security reference F16).
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { type IncomingMessage, Agent as PlainAgent, request as plainRequest } from 'node:http'
import { Agent as SecureAgent, request as secureRequest } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Config } from './config.ts'
import { Failure } from './errors.ts'

export type S3Settings = NonNullable<Config['s3']>

/** Milliseconds; `retries` after the first attempt, `backoff` before the first of them. */
export type S3Limits = { connect: number; idle: number; total: number; retries: number; backoff: number }

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Within the bucket, with its slash; empty for the bucket itself. */
  path: string
  query?: Record<string, string>
  headers?: Record<string, string>
  /** Path of the file that is sent. */
  file?: string
  /** Ends the request at once. */
  signal?: AbortSignal
}

export type Exchange = {
  /**
   * @returns the answer once its headers are there; its body must be read with `chunksOf`, or destroyed
   * @throws Failure general_service_unavailable when the store does not answer, or answers that it cannot
   */
  ask(request: S3Request): Promise<IncomingMessage>
  /** The body as it comes; ends with an error when the store falls silent, or is waited for too long in all. */
  chunksOf(answer: IncomingMessage): AsyncGenerator<Buffer>
}

export const usualLimits: S3Limits = {
  connect: 5000,
  idle: 15_000,
  total: 60_000,
  retries: 3,
  backoff: 100,
}

/** Many members looking at once wait for each other here rather than storm the store. */
const maxSockets = 64
const hashOfNothing = createHash('sha256').digest('hex')

export function createExchange(settings: S3Settings, limits: S3Limits): Exchange {
  const bucket = `${settings.endpoint.replace(/\/+$/, '')}/${settings.bucket}`
  const secure = bucket.startsWith('https:')
  const agent = new (secure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets })
  const begin = secure ? secureRequest : plainRequest

  const attempt = async (asked: S3Request, hash: string, size: number | undefined, signal: AbortSignal) => {
    const url = `${bucket}${asked.path}?${new URLSearchParams(asked.query)}`.replace(/\?$/, '')
    const headers = await signedHeaders(settings, { ...asked, url, hash }, new Date())
    if (size !== undefined) headers['content-length'] = String(size)
    const request = begin(url, { method: asked.method, headers, agent, signal })
    request.setTimeout(limits.idle, () => request.destroy(new Error('The object store fell silent')))
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
    // A store that refuses early hangs up on the rest of the body; what it said is what counts.
    else pipeline(createReadStream(asked.file), request).catch((error) => request.destroy(error))
    return answered
  }

  return {
    async ask(asked) {
      const [hash, size] = asked.file
        ? await Promise.all([hashOf(asked.file), stat(asked.file).then((file) => file.size)])
        : [hashOfNothing, undefined]
      const late = new AbortController()
      const deadline = setTimeout(() => late.abort(), limits.total)
      const signal = asked.signal ? AbortSignal.any([late.signal, asked.signal]) : late.signal
      try {
        for (let tried = 0; ; tried += 1) {
          const outcome = await attempt(asked, hash, size, signal).catch((error: Error) => error)
          if (!(outcome instanceof Error) && !isPassing(outcome)) return outcome
          if (!(outcome instanceof Error)) outcome.destroy()
          if (tried === limits.retries || signal.aborted) throw unavailable(outcome)
          await pause(limits.backoff * 2 ** tried * (0.5 + Math.random() / 2))
        }
      } finally {
        clearTimeout(deadline)
      }
    },

    async *chunksOf(answer) {
      // The socket's own silence is not ours to judge while whoever reads is slow.
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

/** The headers to send with a request: AWS Signature Version 4 over the body's hash too, so that no byte changes on its way. */
export async function signedHeaders(
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
    datetime: at.toISOString().replace(/[:-]|\.\d{3}/g, ''),
  })
  const { headers } = await signer.sign()
  return Object.fromEntries(headers)
}

/** @param cause an error, or the answer that was no help */
export function unavailable(cause: Error | IncomingMessage): Failure {
  const reason =
    cause instanceof Error ? cause : new Error(`The object store answered ${cause.statusCode ?? 'nothing'}`)
  return new Failure('general_service_unavailable', { retryAfter: 10, cause: reason })
}

const isPassing = ({ statusCode = 0 }: IncomingMessage) =>
  statusCode >= 500 || statusCode === 429 || statusCode === 408

async function hashOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(file), hash)
  return hash.digest('hex')
}
