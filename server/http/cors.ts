/** Refusing unsafe requests from unknown origins prevents CSRF. */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { publicRouteMetadata } from './route-metadata.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** True for an allowed foreign origin, which sends its session in the fallback header. */
    foreignOrigin: boolean
  }
}

type RequestTarget = Pick<IncomingMessage, 'headers'> & { socket: { localAddress?: string } }

/** `listed` means that the operator allows the origin. */
export function classifyOrigin(
  origin: string,
  target: RequestTarget,
  config: Config,
): 'ours' | 'listed' | 'unknown' {
  const url = URL.parse(origin)
  if (!url) return 'unknown'
  if (url.origin === config.publicUrl) return 'ours'
  if (url.host === target.headers.host && isOwnHost(url.hostname, target, config)) return 'ours'
  if (config.allowedOrigins.includes(url.origin)) return 'listed'
  if (!config.production && isLoopbackName(url.hostname)) return 'listed'
  return 'unknown'
}

/**
 * Whether the Host header may name this server. In production it never may: a caller can forge the header or
 * rebind DNS, and links in emails would then lead to that host.
 */
function isOwnHost(hostname: string, { socket }: RequestTarget, config: Config): boolean {
  if (config.production) return false
  if (isLoopbackName(hostname)) return true
  if (config.hasPublicUrl) return false
  const localAddress = socket.localAddress?.replace(/^::ffff:/, '')
  return hostname === config.host || hostname === localAddress || hostname === `[${localAddress}]`
}

const allowedHeaders = [
  'Accept, Origin, Cookie, Set-Cookie, Content-Type, Content-Range, Range, Cache-Control, Expires, Pragma',
  'X-Requested-With, X-Appwrite-Project, X-Appwrite-Key, X-Appwrite-Dev-Key, X-Appwrite-Locale, X-Appwrite-Mode',
  'X-Appwrite-JWT, X-Appwrite-Response-Format, X-Appwrite-Timeout, X-Appwrite-ID, X-Appwrite-Timestamp',
  'X-Appwrite-Session, X-Appwrite-Platform, X-SDK-Name, X-SDK-Version, X-SDK-Language, X-SDK-Platform',
  'X-SDK-GraphQL, X-SDK-Profile, X-Fallback-Cookies, X-Juntas-Invite',
].join(', ')

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

const requestOrigin = (request: FastifyRequest): string | null => {
  const { origin, referer, 'sec-fetch-site': site = 'none' } = request.headers
  if (origin !== undefined) return origin
  if (safeMethods.has(request.method)) return null
  // Older browsers may omit Origin, but they then send Referer.
  if (referer) return URL.parse(referer)?.origin ?? referer
  // A page can suppress both headers, but not Sec-Fetch-Site.
  return site === 'none' || site === 'same-origin' ? null : 'null'
}

export function registerCorsHooks(app: FastifyInstance, config: Config): void {
  app.decorateRequest('foreignOrigin', false)
  app.addHook('onRequest', async (request, reply) => {
    const origin = requestOrigin(request)
    reply.header('vary', 'Origin')
    if (origin === null) return
    const verdict = classifyOrigin(origin, request, config)
    if (verdict === 'unknown') {
      if (safeMethods.has(request.method)) return
      const host = URL.parse(origin)?.host ?? 'null'
      throwFailure('general_unknown_origin', {
        message: `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`,
      })
    }
    request.foreignOrigin = verdict === 'listed'
    // Pages of other origins may not read the operator's routes.
    if (request.url.startsWith('/dev/')) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Fallback-Cookies',
    })
  })
  app.options('/v1/*', { config: publicRouteMetadata }, async (_request, reply) =>
    reply
      .status(204)
      .headers({
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
        'access-control-allow-headers': allowedHeaders,
        'access-control-max-age': '600',
      })
      .send(),
  )
}
