import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#server/config.ts'
import type { LoggedChange } from '#server/store/change-log-reader.ts'
import { createEventAndChannelNamer } from './event-and-channel-names.ts'

const change = (given: Partial<LoggedChange>): LoggedChange => ({
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
const names = (given: Partial<LoggedChange>, env = {}) =>
  createEventAndChannelNamer(readConfig(env))(change(given), 'a1')

describe('event and channel names', () => {
  test('a document event has every name with wildcards, the exact name first', () => {
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

  test('a document event appears on its channels and on their variants for the kind of change', () => {
    const all = [
      'documents',
      'databases.main.collections.messages.documents',
      'databases.main.collections.messages.documents.m1',
    ]
    expect(names({ kind: 'delete' }).channels).toEqual([...all, ...all.map((channel) => `${channel}.delete`)])
  })

  test('event and channel names also use the ids of an existing client', () => {
    const env = { ALIAS_DATABASE: '64db', ALIAS_COLLECTIONS: '64msg=messages,64post=posts' }
    const { channels, events } = names({}, env)
    expect(channels).toContain('databases.64db.collections.64msg.documents')
    expect(channels).toContain('databases.main.collections.messages.documents.m1')
    expect(channels.join()).not.toContain('64post')
    expect(events).toContain('databases.64db.collections.64msg.documents.m1.create')
    expect(new Set(events).size).toBe(events.length)
  })
})

test("events of an account's name and sessions appear on the channels of that account", () => {
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

test('a file event has every name of its bucket, and appears on its channels and their variants', () => {
  const file = { collection: 'files', publicId: 'f1' } as const
  const { channels, events } = names(file)
  const all = ['files', 'buckets.media.files', 'buckets.media.files.f1']
  expect(channels).toEqual([...all, ...all.map((channel) => `${channel}.create`)])
  expect(events).toEqual([
    'buckets.media.files.f1.create',
    'buckets.media.files.*.create',
    'buckets.*.files.f1.create',
    'buckets.*.files.*.create',
    'buckets.media.files.f1',
    'buckets.media.files.*',
    'buckets.*.files.f1',
    'buckets.*.files.*',
    'buckets.media',
    'buckets.*',
  ])
  expect(names(file, { ALIAS_BUCKET: 'photos' }).channels).toContain('buckets.photos.files.f1')
})

/** Appwrite's events for the resources that exist here. */
const published = {
  'a document': ['create', 'update', 'delete'].map((kind) => `databases.D.collections.C.documents.X.${kind}`),
  'a file': ['create', 'update', 'delete'].map((kind) => `buckets.B.files.F.${kind}`),
  'the account': [
    'users.U.update.name',
    'users.U.sessions.S.create',
    'users.U.verification.T.create',
    'users.U.recovery.T.create',
  ],
}

test('docs/appwrite.md lists every event and its channels, including all that Appwrite publishes', () => {
  const root = join(import.meta.dirname, '../../..')
  const table = readFileSync(join(root, 'docs/appwrite.md'), 'utf8').split('## Events')[1] ?? ''
  const rows = [...table.matchAll(/^\| (a document|a file|the account) \| (.*) \| (.*) \|$/gm)]
  const listed = Object.fromEntries(
    rows.map(([, of = '', ...cells]) => [
      of,
      cells.map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name)),
    ]),
  )
  const kinds = ['create', 'update', 'delete'] as const
  const recorded = readFileSync(join(root, 'server/database/migrations/0003-accounts.sql'), 'utf8')
  const attributes = new Set(
    [...recorded.matchAll(/ from old\.\w+ then '(\w+)'/g)].map(([, attribute]) => attribute),
  )
  const ofAccount: Partial<LoggedChange>[] = [
    ...[...attributes].map(
      (attribute) => ({ collection: 'accounts', kind: 'update', state: { attribute } }) as const,
    ),
    { collection: 'sessions', kind: 'create', publicId: 'S' },
    { collection: 'sessions', kind: 'delete', publicId: 'S' },
    { collection: 'tokens', kind: 'create', publicId: 'T', state: { about: 'verification' } },
    { collection: 'tokens', kind: 'update', publicId: 'T', state: { about: 'verification' } },
    { collection: 'tokens', kind: 'create', publicId: 'T', state: { about: 'recovery' } },
  ]
  const changesByEvent: Record<string, Partial<LoggedChange>[]> = {
    'a document': kinds.map((kind) => ({ kind, publicId: 'X' })),
    'a file': kinds.map((kind) => ({ collection: 'files', kind, publicId: 'F' })),
    'the account': ofAccount,
  }
  const asDocumented = (name: string) =>
    name
      .replace('databases.main.collections.messages', 'databases.D.collections.C')
      .replace('buckets.media', 'buckets.B')
      .replace(/\ba1\b/, 'U')
  for (const [of, changes] of Object.entries(changesByEvent)) {
    const all = changes.map((change) => names(change))
    const [channels = [], events = []] = listed[of] ?? []
    expect([...events].sort()).toEqual(all.map((one) => asDocumented(one.events[0] ?? '')).sort())
    for (const one of all) {
      const plain = one.channels.filter((channel) => !/\.(create|update|delete)$/.test(channel))
      expect(plain.map(asDocumented)).toEqual(channels)
    }
    expect(events).toEqual(expect.arrayContaining(published[of as keyof typeof published]))
  }
})
