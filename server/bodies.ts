/**
 * A body that trickles in holds a connection and, for JSON, memory: it gets half a minute (security reference M5, D01).
 * The pieces of an upload come over slow lines too: they may take as long as the server's `requestTimeout`, if they keep a
 * pace. An answer that nobody reads holds as much, and gets as long without a byte being taken.
 */
import { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, Failure, fail } from './errors.ts'

const patience = 30_000
/** More than any browser sends with the proxies before it (security reference D02). */
const mostHeaders = 100
/** Bytes a second. The poorest mobile line carries more; whoever sends less holds a place and sends nothing (decision 0708). */
const slowest = 1000
const pieceOfUpload = /^multipart\/form-data/i

/** @param within milliseconds; tests have less patience */
export function boundBodies(app: FastifyInstance, within = patience): void {
  app.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0')
    if (!hasBody) return
    if (pieceOfUpload.test(type ?? '')) return demandPace(request, reply, within)
    const giveUp = setTimeout(() => {
      if (reply.sent) return
      const failure = new Failure('general_request_timeout')
      void reply.status(failure.status).header('connection', 'close').send(errorBody(failure))
    }, within)
    const stop = () => clearTimeout(giveUp)
    request.raw.once('end', stop).once('close', stop)
    // Answered before its body was read, there is nothing to give up any more.
    reply.raw.once('finish', stop)
  })
}

/** @param within milliseconds, in each of which so much of the body has to come */
function demandPace({ raw }: FastifyRequest, reply: FastifyReply, within: number): void {
  const { socket } = raw
  if (!(socket instanceof Socket)) return
  let before = socket.bytesRead
  const look = setInterval(() => {
    if (raw.complete) return clearInterval(look)
    const come = socket.bytesRead - before
    before = socket.bytesRead
    // What we have not taken yet is not her slowness.
    const full = raw.readableLength >= raw.readableHighWaterMark
    if (full || come >= (slowest * within) / 1000) return
    // She has her answer already, and sends on for ever.
    if (reply.sent) return void socket.destroy()
    if (raw.listenerCount('error') === 0) return
    clearInterval(look)
    reply.header('connection', 'close')
    // Whoever reads the body is told, and answers.
    raw.emit('error', new Failure('general_request_timeout'))
  }, within)
  raw.once('end', () => clearInterval(look)).once('close', () => clearInterval(look))
}

/** @param within milliseconds; tests have less patience */
export function boundAnswers(app: FastifyInstance, within = patience): void {
  app.addHook('onSend', async (_request, { raw }) => {
    // Node ends a connection that is silent for so long, and puts its own time back once the answer is out.
    if (raw.socket instanceof Socket) raw.socket.setTimeout(within)
  })
}

export function boundHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }) => {
    if (raw.rawHeaders.length > 2 * mostHeaders) fail('general_headers_too_large')
  })
}
