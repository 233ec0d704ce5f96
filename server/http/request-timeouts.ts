/**
 * The timeouts protect against slow clients (slowloris). An upload chunk only needs a minimum rate, because
 * mobile lines are slow.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildErrorBody, Failure } from '../errors.ts'

const requestTimeoutMs = 30_000
/** A visitor's body fits into one or two packets. */
const visitorBodyTimeoutMs = 5000
/** Even the worst mobile line is faster (docs/topics/how-images-are-processed.md). */
const minBytesPerSecond = 1000
const multipart = /^multipart\/form-data/i

export function enforceBodyTimeout(app: FastifyInstance, timeoutMs = requestTimeoutMs): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return
    if (multipart.test(request.headers['content-type'] ?? '')) enforceMinRate(request, reply, timeoutMs)
    else enforceTimeout(request, reply, timeoutMs)
  })
}

/** Register this after authentication. @param timeoutMs shorter in tests */
export function enforceVisitorBodyTimeout(app: FastifyInstance, timeoutMs = visitorBodyTimeoutMs): void {
  app.addHook('preParsing', async (request, reply) => {
    if (request.caller === null && hasBody(request)) enforceTimeout(request, reply, timeoutMs)
  })
}

function hasBody({ headers }: FastifyRequest): boolean {
  const { 'content-length': length, 'transfer-encoding': encoding } = headers
  return encoding !== undefined || (length !== undefined && length !== '0')
}

function enforceTimeout({ raw }: FastifyRequest, reply: FastifyReply, timeoutMs: number): void {
  const timer = setTimeout(() => {
    // The response was sent, but the client keeps sending slowly.
    if (reply.sent) return void raw.socket.destroy()
    const failure = new Failure('general_request_timeout')
    void reply.status(failure.status).header('connection', 'close').send(buildErrorBody(failure))
  }, timeoutMs)
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
  // After an early response, the rest of the body is cut off.
  reply.raw.once('finish', () => {
    if (raw.complete || !(raw.socket instanceof Socket)) stop()
  })
}

/** @param intervalMs each interval needs its share of the minimum rate */
function enforceMinRate({ raw }: FastifyRequest, reply: FastifyReply, intervalMs: number): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete) return clearInterval(timer)
    const received = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    // If the server itself is slow to read, the client is not at fault.
    const isBackpressured = raw.readableLength >= raw.readableHighWaterMark
    if (isBackpressured || received >= (minBytesPerSecond * intervalMs) / 1000) return
    if (reply.sent) return void socket.destroy()
    if (raw.listenerCount('error') === 0) return
    clearInterval(timer)
    reply.header('connection', 'close')
    // The handler receives the error and answers.
    raw.emit('error', new Failure('general_request_timeout'))
  }, intervalMs)
  raw.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer))
}

export function enforceResponseTimeout(app: FastifyInstance, timeoutMs = requestTimeoutMs): void {
  app.addHook('onSend', async (_request, { raw }) => {
    // Node destroys idle sockets, and restores its own timeout after the response.
    if (raw.socket instanceof Socket) raw.socket.setTimeout(timeoutMs)
  })
}
