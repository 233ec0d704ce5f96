import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ErrorType } from '#contract/errors.ts'
import { readSessionToken } from '../auth/session-cookie.ts'
import type { Config } from '../config.ts'
import type { Database } from '../database/open-database.ts'
import { Failure } from '../errors.ts'
import { classifyOrigin } from '../http/cors.ts'
import { rawErrorResponse } from '../http/security-headers.ts'
import type { ServerLogger } from '../log.ts'
import { isLocalRequest } from '../net/loopback-ip.ts'
import { toRateLimitAddress } from '../net/rate-limit-address.ts'
import { type RealtimeProtocol, serveRealtimeConnection, type WebSocketHandshake } from './connection.ts'
import { createHeartbeat } from './heartbeat.ts'
import type { ChangeDelivery } from './outbox-delivery.ts'

/** Enough for fifty channels and their queries. */
const maxMessageBytes = 64 * 1024
const maxFragments = 64
/** The limit per account or visitor address. */
const connectsPerMinute = 20
/** The limit on this node. */
const socketsPerAccount = 10

export type SocketServer = {
  serve(protocol: RealtimeProtocol): void
}

export function createSocketServer(
  app: FastifyInstance,
  given: { config: Config; database: Database; log: ServerLogger; live: ChangeDelivery },
): SocketServer {
  const { config } = given
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression would need several times the CPU and ten times the memory.
    perMessageDeflate: false,
    maxPayload: maxMessageBytes,
    maxFragments,
  })
  const heartbeat = createHeartbeat()
  const protocols = new Map<string, RealtimeProtocol>()
  const trusted = proxyAddr.compile(config.trustedProxies)
  const around = { ...given, mayConnect: createConnectLimit(), admit: createAdmission(config.limits) }
  let draining = false

  const readHandshake = (
    request: IncomingMessage,
    { jwtOf }: RealtimeProtocol,
    query: URLSearchParams,
    listed: boolean,
  ): WebSocketHandshake => {
    const { headers } = request
    const cookies = app.parseCookie(headers.cookie ?? '')
    return {
      query,
      jwt: jwtOf?.(headers, query) ?? null,
      token: readSessionToken(
        { headers, cookies, project: query.get('project') ?? undefined },
        config,
        listed,
      ),
      countedAddress: isExempt(request) ? null : toRateLimitAddress(proxyAddr(request, trusted)),
    }
  }
  const isExempt = (request: IncomingMessage) =>
    !config.limits || (!config.production && isLocalRequest(request))

  const open = (ws: WebSocket, protocol: RealtimeProtocol, handshake: WebSocketHandshake) => {
    const socket = serveRealtimeConnection(ws, protocol, handshake, around)
    heartbeat.add(socket)
    ws.on('close', () => heartbeat.remove(socket))
  }

  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', destroy)
    const refuse = (type: ErrorType) => void stream.end(rawErrorResponse(config, new Failure(type)))
    const url = URL.parse(request.url ?? '', 'http://host')
    const { origin } = request.headers
    // A client without an origin is not a browser, so no foreign page can use its cookies.
    const verdict = origin === undefined ? 'ours' : classifyOrigin(origin, request, config)
    const protocol = url && protocols.get(url.pathname)
    if (!protocol) return refuse('general_route_not_found')
    if (verdict === 'unknown') return refuse('general_unknown_origin')
    if (draining) return refuse('general_service_unavailable')
    server.handleUpgrade(request, stream, head, (ws) =>
      open(ws, protocol, readHandshake(request, protocol, url.searchParams, verdict === 'listed')),
    )
  })

  app.addHook('preClose', async () => {
    draining = true
    await heartbeat.drain()
  })

  return { serve: (protocol) => void protocols.set(protocol.path, protocol) }
}

/** In the handshake's closure, this would live as long as the socket. */
function destroy(this: Duplex): void {
  this.destroy()
}

function createConnectLimit(): (key: string) => Promise<boolean> {
  const connects = new RateLimiterMemory({ points: connectsPerMinute, duration: 60 })
  return (key) =>
    connects.consume(key).then(
      () => true,
      () => false,
    )
}

function createAdmission(limited: boolean): (account: number) => (() => void) | null {
  const open = new Map<number, number>()
  return (account) => {
    const before = open.get(account) ?? 0
    if (limited && before >= socketsPerAccount) return null
    open.set(account, before + 1)
    return () => {
      const left = (open.get(account) ?? 1) - 1
      if (left === 0) open.delete(account)
      else open.set(account, left)
    }
  }
}
