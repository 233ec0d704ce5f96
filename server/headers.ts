/** The hardening headers of every answer (security reference §5.4). */
import type { FastifyInstance } from 'fastify'
import type { Config } from './config.ts'
import { errorBody, type Failure } from './errors.ts'

/** The built page has no inline script or style and loads from nowhere else; the browser enforces it. */
function pagePolicy(config: Config): string {
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
    "trusted-types 'none'",
  ].join('; ')
}

/** What every answer carries. */
export function hardening(config: Config): Record<string, string> {
  const headers: Record<string, string> = {
    'content-security-policy': pagePolicy(config),
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

/** A whole refusal, for where Fastify does not answer: what is no HTTP, and handshakes of sockets. */
export function rawRefusal(config: Config, failure: Failure): string {
  const body = JSON.stringify(errorBody(failure))
  const headers = {
    ...hardening(config),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  // An import of it would cost a tenth of every start (decision 0850).
  const { STATUS_CODES } = process.getBuiltinModule('node:http')
  return [`HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`, ...lines, '', body].join('\r\n')
}

export function securityHeaders(app: FastifyInstance, config: Config): void {
  const headers = hardening(config)
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(headers)
  })
}
