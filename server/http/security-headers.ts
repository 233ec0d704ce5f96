/** Every response has these headers, even responses that Fastify does not send. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { buildErrorBody, type Failure } from '../errors.ts'

/** Lets the HEIF worker compile WebAssembly and request files of this server, but load no further script. */
export const heifWorkerSecurityPolicy = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * This is the strictest policy for the built page: no inline code, only our origin, and two workers from
 * `web/trusted-worker-url.ts`.
 */
function contentSecurityPolicy(config: Config): string {
  const socket = config.publicUrl?.replace(/^http/, 'ws') ?? ''
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "font-src 'self'",
    `connect-src 'self' ${socket}`.trim(),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    'trusted-types juntas-worker',
  ].join('; ')
}

export function securityHeaders(config: Config): Record<string, string> {
  const headers: Record<string, string> = {
    'content-security-policy': contentSecurityPolicy(config),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'geolocation=(), camera=(), microphone=()',
    'x-robots-tag': 'noindex',
  }
  if (config.production) headers['strict-transport-security'] = 'max-age=63072000; includeSubDomains'
  return headers
}

/** Answers malformed HTTP requests and WebSocket handshakes. */
export function rawErrorResponse(config: Config, failure: Failure): string {
  const body = JSON.stringify(buildErrorBody(failure))
  const headers = {
    ...securityHeaders(config),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  // Importing node:http makes starts a tenth slower (decision 0093).
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', body].join('\r\n')
}

export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = securityHeaders(config)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
