import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { createTestWorld, type MemberClient, type TestWorld } from '../../tests/support/world.ts'
import type { LoggedChange } from '../store/change-log-reader.ts'
import { createChangeFanOut } from './fan-out.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterEach(() => {
  vi.useRealTimers()
})
afterAll(() => w.end())

test('R13 other requests run between the recipients of a slow change', async () => {
  const { rows } = await w.database.pool.query<{ account: number; session: number; member: number }>(
    `select a.id as account, s.id as session, u.id as member
     from accounts a join sessions s on s.account_id = a.id join users u on u.account_id = a.id
     where a.public_id = $1`,
    [ana.accountId],
  )
  const [own] = rows as [(typeof rows)[number]]
  vi.useFakeTimers({ toFake: ['performance'] })
  const happened: string[] = []
  const fanOut = createChangeFanOut(w.database)
  const documents = { of: () => async () => ({ $id: ana.id }) }
  for (let n = 0; n < 20; n += 1) {
    fanOut.add({
      ...own,
      accountId: ana.accountId,
      documents,
      wants: () => true,
      send: () => {
        // Simulates the time that a socket's filters take.
        vi.advanceTimersByTime(6)
        happened.push('sent')
      },
      close: () => happened.push('closed'),
    })
  }
  let isOver = false
  const request = () => {
    happened.push('request')
    if (!isOver) setImmediate(request)
  }
  request()
  const change: LoggedChange = {
    id: 1,
    xid: 1n,
    collection: 'users',
    kind: 'update',
    rowId: own.member,
    publicId: ana.id,
    memberIds: null,
    groupId: null,
    accountId: null,
    state: null,
    at: new Date(),
  }
  await fanOut.deliver([change])
  isOver = true
  expect(happened.filter((what) => what === 'sent')).toHaveLength(20)
  const log = happened.slice(happened.indexOf('sent'), happened.lastIndexOf('sent') + 1).join(' ')
  expect(log.split(/(?: ?request ?)+/)).toEqual(Array(10).fill('sent sent'))
})
