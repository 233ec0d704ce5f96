/**
 * `/v1/realtime`: the dialect's websocket (platform reference §11; contract/live.ts for our own client). Here it is decided
 * who may open one; realtime-socket.ts is the life of one.
 */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import proxyAddr from '@fastify/proxy-addr'
import type { FastifyInstance } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ErrorType } from '#contract/errors.ts'
import { Failure } from '../errors.ts'
import { rawRefusal } from '../headers.ts'
import { addressKey, isOwnMachine } from '../limits.ts'
import { judgeOrigin } from '../origins.ts'
import type { Parts } from '../parts.ts'
import { tokenOf } from '../session.ts'
import { projectId } from './project.ts'
import { createLifetimes } from './realtime-lifetimes.ts'
import { createNames } from './realtime-names.ts'
import { type Handshake, serveSocket } from './realtime-socket.ts'

const path = '/v1/realtime'
/** Bytes of one message: fifty channels and their queries. */
const longestMessage = 64 * 1024
const mostFragments = 64
/** Security reference §5.1: of each account, and of each address where nobody is signed in. */
const connectsPerMinute = 20
/** Per account, on this node. */
const socketsAtOnce = 10

export function dialectRealtime(app: FastifyInstance, parts: Parts): void {
  const { config } = parts
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    // Compression costs several times the CPU and ten times the memory of a socket (architecture §12).
    perMessageDeflate: false,
    maxPayload: longestMessage,
    maxFragments: mostFragments,
  })
  const lifetimes = createLifetimes()
  const projects = new Set([projectId, ...config.aliases.project])
  const trusted = proxyAddr.compile(config.trustedProxies)
  const around = {
    parts,
    namesOf: createNames(config),
    mayConnect: createConnectLimit(),
    admit: createAdmission(config.limits),
  }
  let draining = false

  const readHandshake = (request: IncomingMessage, query: URLSearchParams, listed: boolean): Handshake => {
    const { headers } = request
    const cookies = app.parseCookie(headers.cookie ?? '')
    return {
      knownProject: projects.has(query.get('project') ?? projectId),
      query,
      jwt: query.get('jwt') ?? (headers['x-appwrite-jwt'] as string | undefined) ?? null,
      token: tokenOf({ headers, cookies }, config, listed),
      countedAddress: isExempt(request) ? null : addressKey(proxyAddr(request, trusted)),
    }
  }
  const isExempt = (request: IncomingMessage) =>
    !config.limits || (!config.production && isOwnMachine(request))

  const welcome = (ws: WebSocket, handshake: Handshake) => {
    const socket = serveSocket(ws, handshake, around)
    lifetimes.add(socket)
    ws.on('close', () => lifetimes.remove(socket))
  }

  app.server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', letGo)
    // A page gets to see no more than that it failed.
    const refuse = (type: ErrorType) => void stream.end(rawRefusal(config, new Failure(type)))
    const url = URL.parse(request.url ?? '', 'http://host')
    const { origin } = request.headers
    // Who sends no origin is no browser, and carries nobody's cookies but her own.
    const verdict = origin === undefined ? 'ours' : judgeOrigin(origin, request, config)
    if (url?.pathname !== path) return refuse('general_route_not_found')
    if (verdict === 'unknown') return refuse('general_unknown_origin')
    if (draining) return refuse('general_service_unavailable')
    server.handleUpgrade(request, stream, head, (ws) =>
      welcome(ws, readHandshake(request, url.searchParams, verdict === 'listed')),
    )
  })

  app.addHook('preClose', async () => {
    draining = true
    await lifetimes.drain()
  })
}

/** Apart from the handshake, which would live as long as the socket if this could see it. */
function letGo(this: Duplex): void {
  this.destroy()
}

function createConnectLimit(): (who: string) => Promise<boolean> {
  const connects = new RateLimiterMemory({ points: connectsPerMinute, duration: 60 })
  return (who) =>
    connects.consume(who).then(
      () => true,
      () => false,
    )
}

/** Counts the sockets of each account, if they are limited at all. */
function createAdmission(limited: boolean): (account: number) => (() => void) | null {
  const open = new Map<number, number>()
  return (account) => {
    const before = open.get(account) ?? 0
    if (limited && before >= socketsAtOnce) return null
    open.set(account, before + 1)
    return () => {
      const left = (open.get(account) ?? 1) - 1
      if (left === 0) open.delete(account)
      else open.set(account, left)
    }
  }
}
