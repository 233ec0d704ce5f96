import { describe, expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import type { Change } from '../live-changes.ts'
import { createNames } from './realtime-names.ts'

const change = (given: Partial<Change>): Change => ({
  id: 1,
  xid: 1n,
  collection: 'messages',
  kind: 'create',
  rowId: 1,
  publicId: 'm1',
  memberIds: [1, 2],
  groupId: null,
  accountId: null,
  state: null,
  at: new Date(),
  ...given,
})
const names = (given: Partial<Change>, env = {}) => createNames(readConfig(env))(change(given), 'a1')

describe('a document', () => {
  test('is told under every spelling with wildcards, the exact one first', () => {
    const { events } = names({})
    expect(events[0]).toBe('databases.main.collections.messages.documents.m1.create')
    expect(events).toHaveLength(22)
    expect(new Set(events).size).toBe(22)
    for (const spelling of [
      'databases.*.collections.*.documents.*.create',
      'databases.main.collections.*.documents.m1',
      'databases.*.collections.messages',
      'databases.main',
      'databases.*',
    ]) {
      expect(events).toContain(spelling)
    }
  })

  test('is told on its channels and their twins', () => {
    const all = [
      'documents',
      'databases.main.collections.messages.documents',
      'databases.main.collections.messages.documents.m1',
    ]
    expect(names({ kind: 'delete' }).channels).toEqual([...all, ...all.map((channel) => `${channel}.delete`)])
  })

  test('D-01 is told under the ids that an existing client keeps, too', () => {
    const env = { ALIAS_DATABASE: '64db', ALIAS_COLLECTIONS: '64msg=messages,64post=posts' }
    const { channels, events } = names({}, env)
    expect(channels).toContain('databases.64db.collections.64msg.documents')
    expect(channels).toContain('databases.main.collections.messages.documents.m1')
    expect(channels.join()).not.toContain('64post')
    expect(events).toContain('databases.64db.collections.64msg.documents.m1.create')
    expect(new Set(events).size).toBe(events.length)
  })
})

test('an account is told of its name and its sessions on its own channels', () => {
  const update = names({
    collection: 'accounts',
    kind: 'update',
    publicId: 'a1',
    state: { attribute: 'name' },
  })
  expect(update.channels).toEqual(['account', 'account.a1'])
  expect(update.events).toEqual([
    'users.a1.update.name',
    'users.*.update.name',
    'users.a1.update',
    'users.*.update',
    'users.a1',
    'users.*',
  ])
  const { events } = names({ collection: 'sessions', publicId: 's1' })
  expect(events[0]).toBe('users.a1.sessions.s1.create')
  expect(events).toHaveLength(10)
})
