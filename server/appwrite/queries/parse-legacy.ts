/**
 * Parses queries such as `equal("title", ["a", "b"])`. Old clients do not escape quotes, so a quote ends a
 * text only if the query could continue there.
 */
import { failInvalidQuery } from './invalid-query.ts'
import type { ParsedQuery } from './parsed-query.ts'

type Scalar = string | number | boolean | null

const callPattern = /^\s*([a-zA-Z]{1,32})\s*\(/
const numberPattern = /^-?\d{1,20}(?:\.\d{1,20})?(?:[eE][+-]?\d{1,3})?$/
const literals = new Map<string, Scalar>([
  ['true', true],
  ['false', false],
  ['null', null],
])

export function parseLegacyQuery(text: string): ParsedQuery {
  const written = text.trimEnd()
  const head = callPattern.exec(written)
  if (!head || !written.endsWith(')')) return failInvalidQuery('Invalid query')
  const method = head[1] as string
  const values = readArguments(written.slice(head[0].length, -1))
  return { method, values }
}

/** Reads scalar arguments, optionally followed by a list: `"a", ["x", "y"]`, `"n", 1, 5`, `10`. */
function readArguments(text: string): Scalar[] {
  const end = text.trimEnd().length
  const single = readScalars(text, 0, end, true)
  if (single.at === end) return single.values
  if (text[end - 1] !== ']') return failInvalidQuery('Invalid query')
  const listed = readScalars(text, single.at + 1, end - 1, false)
  return [...single.values, ...listed.values]
}

/** Reading stops at the opening bracket of a list. */
function readScalars(
  text: string,
  start: number,
  end: number,
  listMayFollow: boolean,
): { values: Scalar[]; at: number } {
  const values: Scalar[] = []
  let at = skipSeparators(text, start, end)
  while (at < end) {
    const char = text[at]
    if (char === '[' && listMayFollow) return { values, at }
    if (char === '"' || char === "'") {
      const quoted = readQuoted(text, at, end, listMayFollow)
      values.push(quoted.value)
      at = quoted.at
    } else {
      const stop = indexOfComma(text, at, end)
      values.push(readBare(text.slice(at, stop).trim()))
      at = stop
    }
    at = skipSeparators(text, at, end)
  }
  return { values, at: end }
}

function readBare(word: string): Scalar {
  const literal = literals.get(word)
  if (literal !== undefined) return literal
  return numberPattern.test(word) ? Number(word) : failInvalidQuery('Invalid query')
}

/** A backslash escapes only these characters. Before others, it is kept. */
const escapable = `"',[]`

function readQuoted(
  text: string,
  open: number,
  end: number,
  listMayFollow: boolean,
): { value: string; at: number } {
  const quote = text[open] as string
  const last = text.lastIndexOf(quote, end - 1)
  let value = ''
  for (let at = open + 1; at < end; at += 1) {
    const char = text[at] as string
    if (char === '\\' && at + 1 < last && escapable.includes(text[at + 1] as string)) {
      at += 1
      value += text[at]
    } else if (char === quote && mayEndHere(text, at + 1, end, listMayFollow)) {
      return { value, at: at + 1 }
    } else {
      value += char
    }
  }
  return failInvalidQuery('Invalid query')
}

/** The quote must be at the end, or before a comma and another value. */
function mayEndHere(text: string, after: number, end: number, listMayFollow: boolean): boolean {
  const at = skipSpaces(text, after, end)
  if (at === end) return true
  if (text[at] !== ',') return false
  const next = skipSpaces(text, at + 1, end)
  const char = text[next] as string
  if (next === end || char === '"' || char === "'") return true
  if (char === '[') return listMayFollow
  const word = text.slice(next, Math.min(next + 32, indexOfComma(text, next, end))).trim()
  return literals.has(word) || numberPattern.test(word)
}

function indexOfComma(text: string, from: number, end: number): number {
  const at = text.indexOf(',', from)
  return at === -1 || at > end ? end : at
}

function skipSpaces(text: string, from: number, end: number): number {
  let at = from
  while (at < end && text[at] === ' ') at += 1
  return at
}

function skipSeparators(text: string, from: number, end: number): number {
  let at = from
  while (at < end && (text[at] === ' ' || text[at] === ',')) at += 1
  return at
}
