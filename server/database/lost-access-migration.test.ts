import { expect, test } from 'vitest'
import { createServerLogger } from '#server/log.ts'
import { createUnmigratedTestDatabase } from '#tests/support/database.ts'
import { migrate } from './migrate.ts'

const log = createServerLogger('silent')

test('after the upgrade, the record of a post hidden from ana names no group, author or members', async () => {
  const database = await createUnmigratedTestDatabase()
  try {
    await migrate(database.directUrl, log, undefined, 9)
    const row = { id: 1, public_id: 'x', created_at: '2026-01-01T00:00:00Z' }
    const named = { ...row, group_id: 7, creator_id: 8, user_id: 9 }
    const whole = { ...named, caption: 'Una tarde', role: 'member', status: 'pending' }
    const records: [
      name: string,
      collection: string,
      kind: string,
      members: number[],
      state: object | null,
    ][] = [
      ['hidden post', 'posts', 'delete', [5], named],
      ['post deleted', 'posts', 'delete', [5], whole],
      ['hidden member', 'groupMembers', 'delete', [5], named],
      ['her own membership', 'groupMembers', 'delete', [9], named],
      ['membership ended', 'groupMembers', 'delete', [5], whole],
      ['hidden request', 'groupRequests', 'delete', [5], named],
      ['request withdrawn', 'groupRequests', 'delete', [5], whole],
      ['save removed', 'saves', 'delete', [5], named],
      ['post changed', 'posts', 'update', [5], null],
    ]
    for (const [name, collection, kind, members, state] of records)
      await database.pool.query(
        `insert into changes (collection, kind, row_id, public_id, member_ids, state) values ($1, $2, 1, $3, $4, $5)`,
        [collection, kind, name.replaceAll(' ', '.'), members, state],
      )
    await migrate(database.directUrl, log, undefined, 10)
    const { rows } = await database.pool.query('select public_id, state from changes order by id')
    const shortened = ['hidden post', 'hidden member', 'hidden request']
    const expected = records.map(([name, , , , state]) => [
      name.replaceAll(' ', '.'),
      shortened.includes(name) ? row : state,
    ])
    expect(rows.map(({ public_id, state }) => [public_id, state])).toEqual(expected)
  } finally {
    await database.close()
  }
})
