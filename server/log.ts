/** Creates the server's logger, which redacts secrets and members' content. */
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'

export type ServerLogger = Logger

/**
 * Redacted in every log line: secrets and members' content must never reach the log.
 */
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

/** Matches the paths of which one segment is a secret. */
const secretInPath = /^(\/(?:setup|join|unsubscribe|v1\/invitations|v1\/summaries)\/)[^/]+/

/**
 * Omits secrets in the path, the query string, which may hold the secret of an email's link or a search term, and the network
 * address: the account's own log has it, for a week in full.
 */
const req = ({ method, url }: { method?: string; url?: string }) => ({
  method,
  path: url?.split('?')[0]?.replace(secretInPath, '$1[hidden]'),
})

/**
 * Creates the process's logger, of which each request gets a child with its id.
 * @param level pino's level name; `silent` logs nothing
 * @param to standard output by default
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
