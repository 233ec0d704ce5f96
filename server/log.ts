/** Structured lines for the operator. One logger for the process; requests get children with their id. */
import { type DestinationStream, type Logger, type LoggerOptions, pino, stdTimeFunctions } from 'pino'

export type Log = Logger

/**
 * Secrets, words and pictures of members never reach a log line: these paths are blanked wherever a request, an error or
 * a change is logged (security reference S09).
 */
const neverLogged = [
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

/** The query of an address may be the secret of a letter, or what somebody searches for. */
const req = ({ method, url, ip }: { method?: string; url?: string; ip?: string }) => ({
  method,
  path: url?.split('?')[0],
  ip,
})

/** @param level pino's level name; `silent` logs nothing. @param to standard output otherwise. */
export function createLog(level: string, to?: DestinationStream): Log {
  const options: LoggerOptions = {
    level,
    serializers: { req },
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: { paths: [...neverLogged, ...neverLogged.map((path) => `*.${path}`)], censor: '[hidden]' },
  }
  return to ? pino(options, to) : pino(options)
}
