/**
 * Bounds how long slow clients hold connections and memory (slowloris): a JSON body must arrive within half a minute, a
 * visitor's within five seconds, the chunk of an upload at a minimum rate within the server's `requestTimeout`, because
 * mobile lines are slow, and a response must be read without a pause of half a minute.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { buildErrorBody, Failure } from '../errors.ts'

const requestTimeoutMs = 30_000
/** Of a visitor's body: an address and a password, a packet or two on the poorest line. */
const visitorBodyTimeoutMs = 5000
/** The poorest mobile line carries more (decision 0076). */
const minBytesPerSecond = 1000
const multipart = /^multipart\/form-data/i

/** Answers 408 when a body does not arrive in time. @param timeoutMs shorter in tests */
export function enforceBodyTimeout(app: FastifyInstance, timeoutMs = requestTimeoutMs): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!hasBody(request)) return
    if (multipart.test(request.headers['content-type'] ?? '')) enforceMinRate(request, reply, timeoutMs)
    else enforceTimeout(request, reply, timeoutMs)
  })
}

/** The same, sooner, where nobody is signed in. Register it after what authenticates. @param timeoutMs shorter in tests */
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
    // The response is out already and the client still trickles.
    if (reply.sent) return void raw.socket.destroy()
    const failure = new Failure('general_request_timeout')
    void reply.status(failure.status).header('connection', 'close').send(buildErrorBody(failure))
  }, timeoutMs)
  const stop = () => clearTimeout(timer)
  raw.once('end', stop).once('close', stop)
  // A response can be sent before the body was read; only one that is still under way has to be cut off then.
  reply.raw.once('finish', () => {
    if (raw.complete || !(raw.socket instanceof Socket)) stop()
  })
}

/** Answers 408 when a body arrives too slowly. @param intervalMs each interval must bring its share of the minimum rate */
function enforceMinRate({ raw }: FastifyRequest, reply: FastifyReply, intervalMs: number): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  let bytesBefore = socket.bytesRead
  const timer = setInterval(() => {
    if (raw.complete) return clearInterval(timer)
    const received = socket.bytesRead - bytesBefore
    bytesBefore = socket.bytesRead
    // Backpressure on our side must not count as a slow client.
    const isBackpressured = raw.readableLength >= raw.readableHighWaterMark
    if (isBackpressured || received >= (minBytesPerSecond * intervalMs) / 1000) return
    // The response is out already and the client still trickles.
    if (reply.sent) return void socket.destroy()
    if (raw.listenerCount('error') === 0) return
    clearInterval(timer)
    reply.header('connection', 'close')
    // The handler that reads the body gets the error and answers.
    raw.emit('error', new Failure('general_request_timeout'))
  }, intervalMs)
  raw.once('end', () => clearInterval(timer)).once('close', () => clearInterval(timer))
}

/** Destroys connections whose client stops reading the response. @param timeoutMs shorter in tests */
export function enforceResponseTimeout(app: FastifyInstance, timeoutMs = requestTimeoutMs): void {
  app.addHook('onSend', async (_request, { raw }) => {
    // Node destroys a socket that is idle for so long, and restores its own timeout once the response is out.
    if (raw.socket instanceof Socket) raw.socket.setTimeout(timeoutMs)
  })
}
