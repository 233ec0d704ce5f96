/**
 * Request bodies: JSON and, on the upload route, multipart. Depth is bounded before parsing, because a parsed monster is
 * already the damage; `__proto__` is refused by Fastify's own parser settings (security reference M6, Q05, D04).
 */
import type { FastifyInstance } from 'fastify'
import { Failure } from './errors.ts'

const maxDepth = 32

/** Deepest nesting of brackets outside strings; stops at the bound. */
export function isTooDeep(text: string, bound = maxDepth): boolean {
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
      if (depth > bound) return true
    } else if (char === 0x7d || char === 0x5d) depth -= 1
  }
  return false
}

/** A string, a name if a colon follows, or where an object begins or ends. */
const marks = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|[{}]/g

/**
 * Whether an object of valid JSON has two of one name: the first counts for some parsers and the last for others, so who
 * checks and who acts could read different things.
 */
function namesTwice(text: string): boolean {
  const open: Set<string>[] = []
  for (const [mark, string, colon] of text.matchAll(marks)) {
    if (mark === '{') open.push(new Set())
    else if (mark === '}') open.pop()
    else if (string && colon) {
      const name = JSON.parse(string)
      const names = open.at(-1)
      if (names?.has(name)) return true
      names?.add(name)
    }
  }
  return false
}

/**
 * NUL and lone surrogates cannot be stored as they were sent, so they are refused instead of changed (security reference
 * §4.3).
 */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(([key, inside]) => isStorable(key) && isStorable(inside))
}

export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  const parse = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    const text = body as string
    // Old clients send a DELETE with a JSON content type and no body.
    if (text.trim() === '') return done(null, {})
    if (isTooDeep(text)) return done(refusal('The JSON body is nested too deeply.'))
    return parse(request, text, (error, value) => {
      if (error) done(refusal('The JSON body could not be read.'))
      else if (namesTwice(text)) done(refusal('The JSON body has two of one name.'))
      else if (!isStorable(value)) done(refusal('The text has a character that cannot be stored.'))
      else done(null, value)
    })
  })
}

const refusal = (message: string) => new Failure('general_argument_invalid', { message })
