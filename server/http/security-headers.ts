/** Sets the security headers of every response, also of those that are written without Fastify. */
import type { FastifyInstance } from 'fastify'
import type { Config } from '../config.ts'
import { buildErrorBody, type Failure } from '../errors.ts'

/**
 * The policy of the worker that decodes HEIC, which obeys the one of its own file: WebAssembly runs there, and nothing else is
 * loaded but the decoder.
 */
export const heifWorkerSecurityPolicy = [
  "default-src 'none'",
  "script-src 'wasm-unsafe-eval'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * The strictest policy the built page allows: it has no inline script or style, loads from our origin only, and starts two workers,
 * whose addresses `web/trusted-worker-url.ts` alone gives.
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

/** Returns the security headers of every response. */
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

/** Writes a complete error response, for connections that Fastify does not answer: broken HTTP, and WebSocket handshakes. */
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
  // Importing node:http would cost a tenth of every start (decision 0094).
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', body].join('\r\n')
}

export function addSecurityHeaders(app: FastifyInstance, config: Config): void {
  const headers = securityHeaders(config)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
