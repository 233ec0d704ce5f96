/**
 * The authorization matrix: each row of table.ts is asked of everybody on every path. What is refused leaves no trace, and
 * every operation and every write of the document door stands in some row.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { api } from '#contract/api.ts'
import { type Internet, internet } from '../internet.ts'
import { brokenInvariants } from '../invariants.ts'
import type { Person } from '../person.ts'
import { jpeg, png } from '../pictures.ts'
import { type World, world } from '../world.ts'
import type { Attempt } from './attempt.ts'
import { type Cast, castOf, gather } from './cast.ts'
import { chatAttempts } from './chat.ts'
import { fileAttempts } from './files.ts'
import { groupAttempts } from './groups.ts'
import { liveAttempts } from './live.ts'
import { peopleAttempts } from './people.ts'
import { postAttempts } from './posts.ts'
import { type Cell, type Column, columns, matrix, ofGroups, type RowId } from './table.ts'

const asked = [...peopleAttempts, ...postAttempts, ...chatAttempts, ...groupAttempts, ...fileAttempts]
// Looking comes before changing, so that everything is as the cast left it.
const attempts = [
  ...asked.filter(({ writes }) => !writes),
  ...asked.filter(({ writes }) => writes),
  ...liveAttempts,
]

let net: Internet
let w: World
let cast: Cast
const reached = new Set<string>()
const answers = new Map<Attempt, number>()

beforeAll(async () => {
  net = await internet()
  const [red, icon] = [await jpeg(), await png('#1e50c8', 32, 32)]
  net.serve('/red.jpg', (_, response) => response.setHeader('content-type', 'image/jpeg').end(red))
  net.serve('/icon.png', (_, response) => response.setHeader('content-type', 'image/png').end(icon))
  net.serve('/page', (_, response) =>
    response.setHeader('content-type', 'text/html').end('<link rel="icon" href="/icon.png">'),
  )
  w = await world({}, net.reach)
  w.app.addHook('onResponse', async ({ method, routeOptions, params }) => {
    const { collection } = params as { collection?: string }
    reached.add([method, routeOptions.url, ...(collection ? [collection] : [])].join(' '))
  })
  cast = await gather(w, (path) => net.at('site.test', path))
  reached.clear()
})
afterAll(async () => {
  expect(await brokenInvariants(w.database)).toEqual([])
  await w.end()
  await net.end()
})

/** What the matrix says of this path. */
function cellOf({ row, except, worded, only }: Attempt, column: Column): Cell {
  const cell: Cell = matrix[row].cells[column]
  if (cell === '-' || (only && !only.includes(column))) return '-'
  return except?.[column] ?? worded?.[cell] ?? cell
}

/** All that somebody could have left behind. */
async function trace(): Promise<unknown> {
  const tables = [
    'users',
    'posts',
    'post_likes',
    'saves',
    'follows',
    'groups',
    'group_members',
    'group_requests',
  ]
  const more = ['conversations', 'messages', 'files', 'file_chunks', 'changes']
  const { rows } = await w.database.pool.query(
    [...tables, ...more]
      .map(
        (table) =>
          `select '${table}' as name, md5(string_agg(t::text, ' ' order by t::text)) as rows from ${table} t`,
      )
      .join(' union all '),
  )
  return rows
}

const isAllowed = (cell: Cell) => cell === 'ok'

test.each(
  attempts.map(
    (attempt) =>
      [
        `${attempt.row} ${matrix[attempt.row].on}, ${matrix[attempt.row].does}: ${attempt.path}`,
        attempt,
      ] as const,
  ),
)('%s', async (_, attempt) => {
  const people = Object.entries(castOf(cast, attempt.row)) as [Column, Person[]][]
  const cells = people.flatMap(([column, everybody]) =>
    everybody.map((who) => ({ who, column, cell: cellOf(attempt, column) })),
  )
  const decided = cells.filter(({ cell }) => cell !== '-')
  const found: Record<string, Cell> = {}
  const ask = async ({ who, column, cell }: (typeof decided)[number]) => {
    const succeeds = isAllowed(cell)
    const got = await attempt.act(who, { cast, column, succeeds })
    found[`${column} ${who.name}`] = cell === 'same' && got === 'ok' ? 'same' : got
  }
  const before = attempt.writes ? await trace() : null
  await Promise.all(decided.filter(({ cell }) => !isAllowed(cell)).map(ask))
  if (attempt.writes) expect(await trace()).toEqual(before)
  for (const one of decided.filter(({ cell }) => isAllowed(cell))) await ask(one)
  expect(found).toEqual(
    Object.fromEntries(decided.map(({ who, column, cell }) => [`${column} ${who.name}`, cell])),
  )
  answers.set(attempt, decided.length)
})

const decidedIn = (rows: readonly RowId[]) =>
  rows.reduce((sum, row) => sum + Object.values(matrix[row].cells).filter((cell) => cell !== '-').length, 0)
const pathsOf = (rows: readonly RowId[]) => attempts.filter(({ row }) => rows.includes(row))
const cellsOf = (rows: readonly RowId[]) =>
  pathsOf(rows).reduce(
    (sum, attempt) =>
      sum + (Object.keys(columns) as Column[]).filter((column) => cellOf(attempt, column) !== '-').length,
    0,
  )
const all = Object.keys(matrix) as RowId[]
const told = (rows: readonly RowId[]) =>
  `${rows.length} rows with ${decidedIn(rows)} cells, on ${pathsOf(rows).length} paths ${cellsOf(rows)} cells`

test(`every row has its paths, and all were walked: ${told(all)}; of groups ${told(ofGroups)}`, () => {
  expect(all.filter((row) => pathsOf([row]).length === 0)).toEqual([])
  expect([...answers.keys()].length).toBe(attempts.length)
})

test('every operation of members, and every write of the document door, stands in the matrix', () => {
  // About oneself alone: who one is, and the account and its profile, made before there is a session.
  const alone = ['currentMember', 'signUp']
  const operations = api.filter(({ name }) => !alone.includes(name))
  expect(
    operations.filter(({ method, path }) => !reached.has(`${method} /v1${path}`)).map(({ name }) => name),
  ).toEqual([])
  const door = '/v1/databases/:database/collections/:collection/documents'
  const collections = ['users', 'posts', 'saves', 'follows', 'groups', 'groupMembers', 'groupRequests']
  const ways = [
    `GET ${door}`,
    `POST ${door}`,
    ...['GET', 'PATCH', 'DELETE'].map((method) => `${method} ${door}/:document`),
  ]
  const missing = [...collections, 'conversations', 'messages'].flatMap((collection) =>
    ways.map((way) => `${way} ${collection}`).filter((way) => !reached.has(way)),
  )
  expect(missing).toEqual([])
})
