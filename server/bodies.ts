/**
 * A body that trickles in holds a connection and, for JSON, memory: it gets half a minute (security reference M5, D01).
 * The pieces of an upload come over slow lines too and are bounded by the server's `requestTimeout` alone. An answer that
 * nobody reads holds as much, and gets as long without a byte being taken.
 */
import { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { errorBody, Failure, fail } from './errors.ts'

const patience = 30_000
/** More than any browser sends with the proxies before it (security reference D02). */
const mostHeaders = 100
const pieceOfUpload = /^multipart\/form-data/i

/** @param within milliseconds; tests have less patience */
export function boundBodies(app: FastifyInstance, within = patience): void {
  app.addHook('onRequest', async (request, reply) => {
    const { 'content-length': length, 'transfer-encoding': encoding, 'content-type': type } = request.headers
    const hasBody = encoding !== undefined || (length !== undefined && length !== '0')
    if (!hasBody || pieceOfUpload.test(type ?? '')) return
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
