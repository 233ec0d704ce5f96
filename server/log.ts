import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'

export type ServerLogger = Logger

const redactedPaths = [
  'password',
  'oldPassword',
  'secret',
  'token',
  'email',
  'phone',
  'content',
  'req.headers.cookie',
  'req.headers.authorization',
  'req.headers["x-fallback-cookies"]',
  'req.headers["x-appwrite-jwt"]',
  'req.headers["x-appwrite-session"]',
]

const secretInPath = /^(\/(?:setup|join|unsubscribe|v1\/invitations|v1\/summaries)\/)[^/]+/

/**
 * A logged request leaves out secrets in paths, the query (link secrets, search terms), and the IP address,
 * which only the account's own log keeps.
 */
const req = ({ method, url }: { method?: string; url?: string }) => ({
  method,
  path: url?.split('?')[0]?.replace(secretInPath, '$1[hidden]'),
})

/**
 * @param level a pino level, or `silent`
 * @param to by default standard output
 */
export function createServerLogger(level: string, to?: DestinationStream): ServerLogger {
  const options: LoggerOptions = {
    level,
    serializers: { req },
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...redactedPaths, ...redactedPaths.map((path) => `*.${path}`)], censor: '[hidden]' },
  }
  return to ? pino(options, to) : pino(options)
}
