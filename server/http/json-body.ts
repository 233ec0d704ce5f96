/**
 * Parsing deep nesting is expensive, so the depth is checked before parsing. Fastify's parser refuses
 * `__proto__` and `constructor.prototype`.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createKeyedConcurrencyLimiter } from '../concurrency/keyed-concurrency-limiter.ts'
import { Failure, throwFailure } from '../errors.ts'

const maxDepth = 32
/** A visitor's form has six keys. */
const maxKeys = { member: 5000, visitor: 50 }
const visitorBodyLimit = 16 * 1024
/** UTF-16 units that are parsed in negligible time. The largest body takes ten milliseconds. */
const smallBodyLength = 16 * 1024
const maxWaitingBodies = 100

/** Counts brackets outside strings. */
export function isJsonTooDeep(text: string, max = maxDepth): boolean {
  let depth = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (inString) {
      if (char === 0x5c) at += 1
      else if (char === 0x22) inString = false
    } else if (char === 0x22) inString = true
    else if (char === 0x7b || char === 0x5b) {
      depth += 1
      if (depth > max) return true
    } else if (char === 0x7d || char === 0x5d) depth -= 1
  }
  return false
}

/**
 * Counts colons outside strings. The text may be invalid, and a regular expression would read to the end
 * again from each unterminated quote.
 */
function countKeys(text: string): number {
  let keys = 0
  let inString = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charCodeAt(at)
    if (char === 0x22) inString = !inString
    else if (inString && char === 0x5c) at += 1
    else if (!inString && char === 0x3a) keys += 1
  }
  return keys
}

/**
 * Matches a brace or a string, which is a key if a colon follows. Works only for valid JSON, in which every
 * string ends.
 */
const tokenPattern = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g

/**
 * Parsers disagree about duplicate keys (RFC 8259 §4), so a proxy could check another value than the server
 * uses.
 */
function hasDuplicateKeys(text: string): boolean {
  const scopes: Set<string>[] = []
  for (const [token, string, colon] of text.matchAll(tokenPattern)) {
    if (token === '{') scopes.push(new Set())
    else if (token === '}') scopes.pop()
    else if (string && colon) {
      const name = JSON.parse(string)
      const names = scopes.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}

/** Refuses NUL and lone surrogates, as PostgreSQL does. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inside]) => isStorable(key) && isStorable(inside))
}

export function registerJsonBodyParser(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parseStrictly = app.getDefaultJsonParser('error', 'error')
  const parse: BodyParser = (request, text, done) => {
    // Old clients send DELETE with a JSON content type and no body.
    if (text.trim() === '') return done(null, {})
    if (isJsonTooDeep(text)) return done(badRequest('The JSON body is nested too deeply.'))
    const isVisitor = request.caller === null
    if (isVisitor && text.length > visitorBodyLimit) return done(new Failure('general_payload_too_large'))
    const most = isVisitor ? maxKeys.visitor : maxKeys.member
    if (countKeys(text) > most) return done(badRequest(`The JSON body has more than ${most} names.`))
    return parseStrictly(request, text, (error, value) => {
      if (error) done(badRequest('The JSON body could not be read.'))
      else if (hasDuplicateKeys(text)) done(badRequest('The JSON body has two of one name.'))
      else if (!isStorable(value)) done(badRequest('The text has a character that cannot be stored.'))
      // PHP clients send an empty list instead of an empty object.
      else done(null, Array.isArray(value) && value.length === 0 ? {} : value)
    })
  }
  const inTurn = createKeyedConcurrencyLimiter<number>({
    concurrency: 1,
    waiting: maxWaitingBodies,
    full: () => throwFailure('general_rate_limit_exceeded', { retryAfter: 1 }),
  })
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    const { caller } = request
    if (caller === null || text.length <= smallBodyLength) return parse(request, text, done)
    // The server parses one body at a time per account, with other work in between.
    inTurn(caller.account.id, async () => {
      await nextTurn()
      parse(request, text, done)
    }).catch(done)
  })
}

type BodyParser = (
  request: FastifyRequest,
  text: string,
  done: (error: Error | null, body?: unknown) => void,
) => void

/** Register this after authentication. */
export function limitVisitorBodySize(app: FastifyInstance): void {
  app.addHook('preParsing', async ({ caller, headers, routeOptions }) => {
    if (caller !== null || routeOptions.config.who !== 'visitor') return
    if (Number(headers['content-length'] ?? 0) > visitorBodyLimit) throwFailure('general_payload_too_large')
  })
}

const badRequest = (message: string) => new Failure('general_argument_invalid', { message })
