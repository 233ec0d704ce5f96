import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#tests/support/database.ts'
import type { Database } from '../database/open-database.ts'
import {
  canCatchUpFrom,
  keepLatestRowUpdates,
  type LoggedChange,
  readChangeLogStart,
  selectChangesById,
  selectChangesSince,
} from './change-log-reader.ts'

let database: Database
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.close())

const record = (id: string) =>
  `insert into changes (collection, kind, row_id, public_id) values ('posts', 'create', 1, '${id}')`

test('a change that commits late is read, although changes with later ids were read before', async () => {
  const db = database.kysely
  const start = (await readChangeLogStart(db)).position
  const slow = await database.pool.connect()
  await slow.query('begin')
  await slow.query(record('first'))
  await database.pool.query(record('second'))
  const before = await selectChangesSince(db, start.xid, [{ where: sql`true` }], 10)
  expect(before.changes.map(({ publicId }) => publicId)).toEqual(['second'])
  await slow.query('commit')
  slow.release()
  const after = await selectChangesSince(db, before.position.xid, [{ where: sql`true` }], 10)
  expect(after.changes.map(({ publicId }) => publicId)).toEqual(['first', 'second'])
  // Transactions in other databases of the same PostgreSQL server also hold the position back.
  const left = async () => {
    const { xid } = (await readChangeLogStart(db)).position
    return (await selectChangesSince(db, xid, [{ where: sql`true` }], 10)).changes
  }
  await expect.poll(left).toEqual([])
})

test('changes committed before the start are skipped, and later commits are read, however early they began', async () => {
  const slow = await database.pool.connect()
  await slow.query('begin')
  await slow.query(record('began.before'))
  await database.pool.query(record('over.before'))
  const { position, later } = await readChangeLogStart(database.kysely)
  await slow.query('commit')
  slow.release()
  const { changes } = await selectChangesSince(database.kysely, position.xid, [{ where: later }], 10)
  expect(changes.map(({ publicId }) => publicId)).toEqual(['began.before'])
})

test('the reader returns one row more than requested if more rows exist', async () => {
  for (const id of ['a', 'b', 'c']) await database.pool.query(record(id))
  const these = sql`c.public_id in ('a', 'b', 'c')`
  const { changes } = await selectChangesSince(database.kysely, 0n, [{ where: these }], 2)
  expect(changes.map(({ publicId }) => publicId)).toEqual(['a', 'b', 'c'])
})

test('a change older than the position is not found by its id', async () => {
  const { rows } = await database.pool.query(`${record('old')} returning id`)
  const [found] = await selectChangesById(database.kysely, [rows[0].id], 0n, sql`true`)
  expect(found?.publicId).toBe('old')
  expect(await selectChangesById(database.kysely, [rows[0].id], (found?.xid ?? 0n) + 1n, sql`true`)).toEqual(
    [],
  )
})

test('a client cannot catch up from a position older than a week, or from before a restore', () => {
  const now = { xid: 1000n, at: Date.now() }
  const day = 24 * 3600_000
  expect(canCatchUpFrom({ xid: 1000n, at: now.at - 6 * day }, now)).toBe(true)
  expect(canCatchUpFrom({ xid: 900n, at: now.at - 7 * day }, now)).toBe(false)
  expect(canCatchUpFrom({ xid: 1001n, at: now.at }, now)).toBe(false)
})

test('only the last of several waiting updates of a row is sent, and creations and deletions stay', () => {
  const change = (
    publicId: string,
    kind: LoggedChange['kind'],
    rowId: number,
    collection: LoggedChange['collection'] = 'posts',
  ) => ({
    ...{ id: 1, xid: 1n, memberIds: null, groupId: null, accountId: null, state: null, at: new Date() },
    ...{ publicId, kind, rowId, collection },
  })
  const waiting = [
    change('made', 'create', 1),
    change('liked', 'update', 1),
    change('other', 'update', 2),
    change('liked.again', 'update', 1),
    change('group', 'update', 1, 'groups'),
    change('gone', 'delete', 2),
    change('name', 'update', 3, 'accounts'),
    change('prefs', 'update', 3, 'accounts'),
  ]
  expect(keepLatestRowUpdates(waiting).map(({ publicId }) => publicId)).toEqual([
    'made',
    'other',
    'liked.again',
    'group',
    'gone',
    'name',
    'prefs',
  ])
})

test('an update that replaces earlier updates names all their actors, or no actors', () => {
  const liked = (id: number, ...causes: number[]) =>
    ({
      id,
      kind: 'update',
      rowId: 1,
      collection: 'posts',
      state: causes.length > 0 ? { caused_by: causes } : null,
    }) as unknown as LoggedChange
  const kept = (...changes: LoggedChange[]) =>
    keepLatestRowUpdates(changes).map(({ id, state }) => [id, state])
  expect(kept(liked(1, 7), liked(2, 8), liked(3, 7))).toEqual([[3, { caused_by: [7, 8] }]])
  expect(kept(liked(1, 7), liked(2), liked(3, 8))).toEqual([[3, null]])
})
