import { Agent, type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import type { InjectOptions } from 'fastify'
import type { RequestTransport } from './member-client.ts'

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Failed requests reject and are not retried. @param url the server's address */
export function createHttpTransport(url: string): RequestTransport {
  return {
    async inject({ method = 'GET', url: path, headers, payload }) {
      const answer = await send(new URL(String(path), url), { method, headers, body: bytesOf(payload) })
      return {
        statusCode: answer.statusCode ?? 0,
        headers: answer.headers,
        rawPayload: await buffer(answer),
      }
    },
  }
}

function bytesOf(payload: InjectOptions['payload']): Buffer | undefined {
  if (payload === undefined || Buffer.isBuffer(payload)) return payload
  return Buffer.from(JSON.stringify(payload))
}

function send(
  url: URL,
  { method, headers, body }: { method: string; headers: InjectOptions['headers']; body?: Buffer },
): Promise<IncomingMessage> {
  const described: OutgoingHttpHeaders = body
    ? { 'content-type': 'application/json', 'content-length': body.length }
    : {}
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...described, ...headers } }, resolve)
    sent.once('error', reject)
    sent.end(body)
  })
}
