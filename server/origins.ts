/**
 * Which web pages may talk to us. A browser names the page's origin on every cross-origin and every unsafe request;
 * an unsafe request from an origin that is not ours or on the list is refused (security reference S13, X08).
 */
import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Config } from './config.ts'
import { fail } from './errors.ts'
import { forAnybody } from './route-classes.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The page is of another origin that is on the list: its session travels in the fallback header. */
    foreignOrigin: boolean
  }
}

const loopbackName = /^((.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** A host name that no name server could make point here. */
export const isLoopbackName = (hostname: string): boolean => loopbackName.test(hostname)

/** What a request says of where it came to, and how it came. */
type Arrived = Pick<IncomingMessage, 'headers'> & { socket: { localAddress?: string } }

/** `ours`, `listed` (a foreign client we know) or `unknown`. */
export function judgeOrigin(origin: string, arrived: Arrived, config: Config): 'ours' | 'listed' | 'unknown' {
  const url = URL.parse(origin)
  if (!url) return 'unknown'
  if (url.origin === config.publicUrl) return 'ours'
  if (url.host === arrived.headers.host && isHere(url.hostname, arrived, config)) return 'ours'
  if (config.allowedOrigins.includes(url.origin)) return 'listed'
  if (!config.production && isLoopbackName(url.hostname)) return 'listed'
  return 'unknown'
}

/**
 * Whether a host name that the caller writes is this server, outside production. Any other would be whoever she says, or
 * whoever has a name of her own point here: letters with our secrets would lead there (security reference S06, X08).
 */
function isHere(hostname: string, { socket }: Arrived, config: Config): boolean {
  if (config.production) return false
  if (isLoopbackName(hostname)) return true
  if (config.hasPublicUrl) return false
  const reached = socket.localAddress?.replace(/^::ffff:/, '')
  return hostname === config.host || hostname === reached || hostname === `[${reached}]`
}

const allowedHeaders = [
  'Accept, Origin, Cookie, Set-Cookie, Content-Type, Content-Range, Range, Cache-Control, Expires, Pragma',
  'X-Requested-With, X-Appwrite-Project, X-Appwrite-Key, X-Appwrite-Dev-Key, X-Appwrite-Locale, X-Appwrite-Mode',
  'X-Appwrite-JWT, X-Appwrite-Response-Format, X-Appwrite-Timeout, X-Appwrite-ID, X-Appwrite-Timestamp',
  'X-Appwrite-Session, X-Appwrite-Platform, X-SDK-Name, X-SDK-Version, X-SDK-Language, X-SDK-Platform',
  'X-SDK-GraphQL, X-SDK-Profile, X-Fallback-Cookies',
].join(', ')

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

const originOf = (request: FastifyRequest): string | null => {
  const { origin, referer, 'sec-fetch-site': site = 'none' } = request.headers
  if (origin !== undefined) return origin
  if (safe.has(request.method)) return null
  // Older browsers leave Origin out of some unsafe requests but not the Referer.
  if (referer) return URL.parse(referer)?.origin ?? referer
  // Nor may a page that hides where it is leave out that it is not ours.
  return site === 'none' || site === 'same-origin' ? null : 'null'
}

/** Answers preflights, sets the CORS headers and refuses unsafe requests from strangers' pages. */
export function guardOrigins(app: FastifyInstance, config: Config): void {
  app.decorateRequest('foreignOrigin', false)
  app.addHook('onRequest', async (request, reply) => {
    const origin = originOf(request)
    reply.header('vary', 'Origin')
    if (origin === null) return
    const verdict = judgeOrigin(origin, request, config)
    if (verdict === 'unknown') {
      if (safe.has(request.method)) return
      const host = URL.parse(origin)?.host ?? 'null'
      fail('general_unknown_origin', {
        message: `Invalid Origin. Register your new client (${host}) as a new Web platform on your project console dashboard`,
      })
    }
    request.foreignOrigin = verdict === 'listed'
    // What is for the operator alone is no other page's to read (reading D-10).
    if (request.url.startsWith('/dev/')) return
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers': 'X-Fallback-Cookies',
    })
  })
  app.options('/v1/*', { config: forAnybody }, async (_request, reply) =>
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
