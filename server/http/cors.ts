/**
 * Decides which web pages may use the API. A browser names the page's origin on every cross-origin and every unsafe
 * request; an unsafe request from an origin that is neither ours nor allowed is refused, which prevents CSRF.
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { throwFailure } from '../errors.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { publicRouteMetadata } from './route-metadata.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The page is of another, allowed origin: its session travels in the fallback header. */
    foreignOrigin: boolean
  }
}

/** The host a request names, and the local address it came to. */
type RequestTarget = Pick<IncomingMessage, 'headers'> & { socket: { localAddress?: string } }

/** Classifies a page's origin: our own, one that the operator allowed (`listed`), or `unknown`. */
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
 * Whether a host name of a request means this server; in production only PUBLIC_URL does. A caller can send any Host
 * header or point a domain here (DNS rebinding), and links in e-mails would lead there.
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
  // Older browsers leave Origin out of some unsafe requests but not the Referer.
  if (referer) return URL.parse(referer)?.origin ?? referer
  // A page can suppress both, but not Sec-Fetch-Site.
  return site === 'none' || site === 'same-origin' ? null : 'null'
}

/** Answers preflights, sets the CORS headers and refuses unsafe requests from unknown origins. */
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
    // The operator's routes are never readable by pages of other origins.
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
