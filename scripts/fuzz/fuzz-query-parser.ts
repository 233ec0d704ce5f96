/** The server must parse each query or refuse it with an error of the catalogue. */

import { parseAttributeSelection } from '#server/appwrite/documents/attribute-selection.ts'
import { documentCollections } from '#server/appwrite/documents/document-collections.ts'
import {
  buildDocumentListCondition,
  buildDocumentListOrders,
} from '#server/appwrite/documents/list-documents.ts'
import { parseAppwriteQueries } from '#server/appwrite/queries/parse-queries.ts'
import { Failure } from '#server/errors.ts'
import { memberKeyParameter } from '#server/policy/index.ts'
import { type RandomInteger, seededRandom } from '../harness/seeded-random.ts'

export type QueryFuzzReport = {
  understood: number
  refused: number
  unforeseen: { text: string; error: string }[]
  /** CPU milliseconds, with garbage collection. */
  longest: { text: string; ms: number }
  /** Elapsed milliseconds, with other load on the machine. */
  longestWait: number
}

export function fuzzQueryParser({ executions, seed }: { executions: number; seed: number }): QueryFuzzReport {
  const random = seededRandom(seed)
  const result: QueryFuzzReport = {
    ...{ understood: 0, refused: 0, unforeseen: [] },
    ...{ longest: { text: '', ms: 0 }, longestWait: 0 },
  }
  for (let n = 0; n < executions; n += 1) {
    const collection = pick(random, everyCollection)
    const text = oddQuery(random, Object.keys(collection.fields))
    const [began, used] = [performance.now(), processorMs()]
    try {
      result[tryOut(text, collection)] += 1
    } catch (error) {
      result.unforeseen.push({ text, error: String(error) })
    }
    const ms = processorMs() - used
    if (ms > result.longest.ms) result.longest = { text, ms }
    result.longestWait = Math.max(result.longestWait, performance.now() - began)
  }
  return result
}

function processorMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const everyCollection = Object.values(documentCollections)
const ana = { me: memberKeyParameter(1), publicId: 'ana', accountId: 'ana', email: 'ana@juntas.test' }

function tryOut(text: string, collection: (typeof everyCollection)[number]): 'understood' | 'refused' {
  try {
    const asked = parseAppwriteQueries([text])
    buildDocumentListCondition(collection, asked, ana)
    buildDocumentListOrders(collection, asked, ana)
    parseAttributeSelection(collection, asked.select, 104)
    return 'understood'
  } catch (error) {
    if (error instanceof Failure && error.type === 'general_query_invalid') return 'refused'
    throw error
  }
}

const pick = <T>(random: RandomInteger, from: readonly T[]): T => from[random(from.length)] as T

const methods = [
  'equal',
  'notEqual',
  'lessThan',
  'greaterThanEqual',
  'between',
  'notBetween',
  'isNull',
  'isNotNull',
  'startsWith',
  'endsWith',
  'contains',
  'containsAll',
  'notContains',
  'search',
  'notSearch',
  'limit',
  'offset',
  'orderAsc',
  'orderDesc',
  'cursorAfter',
  'cursorBefore',
  'select',
  'and',
  'or',
  'orderRandom',
  'constructor',
  '__proto__',
]
const attributes = [
  ...new Set(everyCollection.flatMap(({ fields }) => Object.keys(fields))),
  '$id',
  '$createdAt',
  '$updatedAt',
  '$permissions',
  '',
  '*',
  'creator.name',
  'constructor',
  '__proto__',
  'toString',
]
const values: readonly unknown[] = [
  'x',
  '',
  'a "b" c',
  "it's",
  '%_\\',
  '^(a+)+$',
  '\\',
  '"',
  '","',
  '"]) equal("a",["b',
  ':*',
  '2026-11-21',
  '2026-11-21T10:00:00.000+00:00',
  '9999-12-31T23:59:59-23:00',
  '0000-01-01',
  'ñandú',
  '👩‍👩‍👧',
  '\u0000',
  '\ud800',
  0,
  1,
  -1,
  0.5,
  1e9,
  2 ** 53,
  Number.POSITIVE_INFINITY,
  true,
  false,
  null,
  [],
  {},
  [1],
  { $ne: 1 },
  'pending',
  'x'.repeat(300),
]
const noise = [
  ...'"\'[](){},\\ \n\t:;%_$*&!|^~`',
  'equal',
  'or',
  'limit',
  '0',
  '9',
  'a',
  'ñ',
  '\0',
  '\ud800',
  '👩',
]

function oddQuery(random: RandomInteger, fields: readonly string[]): string {
  const kind = random(10)
  if (kind === 0) return noiseOf(random, random(60))
  if (kind === 1) return pick(random, noise).repeat(random(4200))
  if (kind === 2) return soundQuery(random, fields)
  if (kind === 3) return damaged(random, soundQuery(random, fields))
  const written = kind < 7 ? inText(random, fields) : JSON.stringify(inJson(random, fields, random(6)))
  return kind % 2 === 0 ? written : damaged(random, written)
}

const soundValues: Record<string, readonly unknown[]> = {
  equal: ['x'],
  notEqual: ['x'],
  lessThan: ['2026-11-21'],
  between: ['a', 'b'],
  isNull: [],
  isNotNull: [],
  startsWith: ['%_'],
  contains: ['\\', "'"],
  search: ['"a" b'],
}

/** Generates a query in either grammar. */
function soundQuery(random: RandomInteger, fields: readonly string[]): string {
  const method = pick(random, Object.keys(soundValues))
  const attribute = pick(random, [...fields, '$id', '$createdAt', '$updatedAt'])
  const values = soundValues[method] ?? []
  if (random(2) === 0) return `${method}("${attribute}", [${values.map((value) => `"${value}"`).join(',')}])`
  const asked = { method, attribute, values }
  return JSON.stringify(random(2) === 0 ? asked : { method: 'or', values: [asked, asked] })
}

const noiseOf = (random: RandomInteger, length: number) =>
  Array.from({ length }, () => pick(random, noise)).join('')

/** Writes a query without escaping values, like the older client. */
function inText(random: RandomInteger, fields: readonly string[]): string {
  const listed = someValues(random).map((value) => (typeof value === 'string' ? `"${value}"` : String(value)))
  const rest = random(3) === 0 ? listed.join(', ') : `[${listed.join(',')}]`
  return `${pick(random, methods)}("${anAttribute(random, fields)}", ${rest})`
}

function inJson(random: RandomInteger, fields: readonly string[], depth: number): unknown {
  const inner = depth > 0 && random(3) > 0
  return {
    method: inner ? pick(random, ['and', 'or']) : pick(random, methods),
    ...(random(5) > 0
      ? { attribute: random(20) > 0 ? anAttribute(random, fields) : pick(random, [5, null, {}]) }
      : {}),
    ...(random(5) > 0
      ? {
          values: inner
            ? [inJson(random, fields, depth - 1), inJson(random, fields, depth - 1)]
            : someValues(random),
        }
      : {}),
  }
}

/** Mostly chooses an existing attribute, so the server also parses the values. */
const anAttribute = (random: RandomInteger, fields: readonly string[]) =>
  pick(random, random(4) > 0 ? fields : attributes)

const someValues = (random: RandomInteger) =>
  random(2) > 0
    ? [pick(random, ['x', 'ana', true, 3, '2026-11-21'])]
    : Array.from({ length: random(5) }, () => pick(random, values))

function damaged(random: RandomInteger, text: string): string {
  const from = random(text.length + 1)
  const to = Math.min(text.length, from + random(12))
  const piece = pick(random, ['', text.slice(from, to).repeat(2), noiseOf(random, random(6))])
  return text.slice(0, from) + piece + text.slice(to)
}
