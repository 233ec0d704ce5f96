import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { getCurrentSessionOperation } from '#contract/account/sign-up-and-sign-in.ts'
import { searchGroupsOperation } from '#contract/groups/groups.ts'
import { connectToDatabase, listStatementTimeoutMs } from '#server/database/open-database.ts'
import type { Failure } from '#server/errors.ts'
import { createServerLogger } from '#server/log.ts'
import { createAppwriteDocumentsClient, formatRefusalText } from '#tests/support/appwrite-documents-client.ts'
import { timeoutsWithShortLists } from '#tests/support/database.ts'
import { patienceMs, waitFor } from '#tests/support/wait-for.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { createExpensiveListQueryLimiter } from './expensive-list-query-limiter.ts'

const patientQueue = { total: 200, maxWaitMs: patienceMs }

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld({}, undefined, timeoutsWithShortLists)
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

/** Returns the limit that the response names. */
async function limitOf(collection: string, ...queries: string[]): Promise<number> {
  const far = { headers: { 'x-forwarded-for': '203.0.113.8' } }
  const { headers } = await createAppwriteDocumentsClient(ana, collection, far).list(...queries)
  return Number(headers['x-ratelimit-limit'])
}
const reads = 1500
const searches = 60

describe('D07 a list that compares text counts as a search', () => {
  test.each([
    ['posts', 'equal("caption", ["a"])'],
    ['posts', 'notEqual("location", ["a"])'],
    ['posts', 'startsWith("caption", ["a"])'],
    ['posts', 'endsWith("caption", ["a"])'],
    ['posts', 'lessThan("caption", ["a"])'],
    ['posts', 'between("caption", ["a", "b"])'],
    ['posts', 'equal("tags", ["a"])'],
    [
      'posts',
      '{"method":"or","values":[{"method":"equal","attribute":"$id","values":["a"]},{"method":"equal","attribute":"caption","values":["a"]}]}',
    ],
    ['groups', 'startsWith("name", ["a"])'],
    ['messages', 'equal("content", ["a"])'],
    ['conversations', 'startsWith("lastMessage", ["a"])'],
  ])('a list of %s with the query %s counts as a search', async (collection, query) => {
    expect(await limitOf(collection, query)).toBe(searches)
  })

  test.each([
    ['posts', 'orderDesc("$createdAt")'],
    ['posts', `equal("$id", ["a"])`],
    ['messages', 'equal("conversationId", ["a"])'],
    ['conversations', 'contains("participants", ["a"])'],
  ])('a list of %s with the query %s counts as a read', async (collection, query) => {
    expect(await limitOf(collection, query)).toBe(reads)
  })

  test.each([
    ['posts', ['orderAsc("caption")']],
    ['posts', ['orderDesc("$createdAt")', 'orderAsc("location")']],
    ['users', ['orderAsc("username")']],
    ['groups', ['orderAsc("name")']],
    ['groups', ['orderDesc("memberCount")']],
    ['messages', ['orderAsc("content")']],
    ['comments', ['orderDesc("$createdAt")']],
    ['follows', ['orderDesc("createdAt")', 'notEqual("followerId", ["a"])']],
    ['groupMembers', ['orderAsc("role")']],
    [
      'follows',
      [
        'orderDesc("$createdAt")',
        '{"method":"or","values":[{"method":"equal","attribute":"followerId","values":["a"]},{"method":"equal","attribute":"followingId","values":["a"]}]}',
      ],
    ],
  ])('a list sorted without an index counts as a search: %s, %s', async (collection, queries) => {
    expect(await limitOf(collection, ...queries)).toBe(searches)
  })

  test.each([
    ['posts', ['orderDesc("$updatedAt")']],
    ['posts', ['equal("creator", ["a"])', 'orderDesc("$createdAt")', 'orderAsc("$id")']],
    ['posts', ['orderDesc("")']],
    ['groups', ['orderDesc("$createdAt")']],
    ['groups', ['equal("adminId", ["a"])', 'orderDesc("memberCount")']],
    ['comments', ['equal("postId", ["a"])', 'orderAsc("$createdAt")']],
    ['follows', ['equal("followerId", ["a"])', 'orderDesc("createdAt")']],
    ['groupMembers', ['equal("groupId", ["a"])', 'orderAsc("joinedAt")']],
    [
      'groupRequests',
      ['equal("status", ["pending"])', 'equal("groupId", ["a"])', 'orderDesc("requestedAt")'],
    ],
    ['saves', ['orderDesc("$createdAt")']],
    ['messages', ['orderDesc("$createdAt")']],
    ['conversations', ['orderDesc("lastMessageTime")']],
  ])('a list with an indexed order or few rows counts as a read: %s, %s', async (collection, queries) => {
    expect(await limitOf(collection, ...queries)).toBe(reads)
  })

  test('a list of members by sign-up date counts as a page of people', async () => {
    const far = { headers: { 'x-forwarded-for': '203.0.113.9' } }
    const cleo = await w.join('Cleo')
    const people = createAppwriteDocumentsClient(cleo, 'users', far)
    await people.list('orderDesc("$createdAt")')
    const { headers } = await people.list('orderDesc("$createdAt")')
    expect(headers['x-ratelimit-remaining']).toBe('58')
    expect((await people.list('orderAsc("name")')).headers['x-ratelimit-remaining']).toBe('59')
  })

  test('a list of files that compares names counts as a search', async () => {
    const files = '/v1/storage/buckets/media/files?queries[0]='
    const far = { 'x-forwarded-for': '203.0.113.8' }
    const ask = (query: string) => ana.request('GET', `${files}${encodeURIComponent(query)}`, undefined, far)
    expect((await ask('equal("name", ["a"])')).headers['x-ratelimit-limit']).toBe('60')
    expect((await ask('equal("mimeType", ["a"])')).headers['x-ratelimit-limit']).toBe('1500')
  })
})

describe('D08 a member with expensive lists', () => {
  test('expensive lists of one member are refused, and other members do not wait for a connection', async () => {
    const lock = await w.database.pool.connect()
    const expensive: Promise<string>[] = []
    try {
      await lock.query('set idle_in_transaction_session_timeout = 0')
      await lock.query('begin; lock table groups in access exclusive mode')
      let answered = 0
      for (let n = 0; n < 12; n += 1)
        expensive.push(
          createAppwriteDocumentsClient(ana, 'groups')
            .list()
            .then((answer) => {
              answered += 1
              return formatRefusalText(answer)
            }),
        )
      // The test reads only the session, because reading the member's posts would also query the locked groups.
      expect(await bea.call(getCurrentSessionOperation, {})).toMatchObject({ accountId: bea.accountId })
      expect(answered).toBe(0)
      expect(await expensive[0]).toBe('400 database_timeout')
      expect(await bea.refusal(searchGroupsOperation, { term: 'knit' })).toMatchObject({
        type: 'database_timeout',
      })
    } finally {
      lock.release(true)
    }
    await Promise.all(expensive)
    expect((await createAppwriteDocumentsClient(ana, 'groups').list()).status).toBe(200)
  })

  test('an expensive list times out behind a pooler too, where sessions keep no settings', async () => {
    const { directUrl } = w.database
    const pooled = connectToDatabase({
      url: directUrl,
      directUrl,
      log: createServerLogger('silent'),
      connectionTimeoutMillis: patienceMs,
      timeouts: timeoutsWithShortLists,
    })
    const lists = createExpensiveListQueryLimiter(pooled)
    const slow = lists(1, (db) => sql`select pg_sleep(30)`.execute(db))
    await expect(slow).rejects.toMatchObject({ type: 'database_timeout', status: 400 })
    await pooled.close()
  })

  test('eight members who always have expensive lists waiting do not stop bea from searching', async () => {
    const lists = createExpensiveListQueryLimiter(w.database, patientQueue)
    const ended = new Map<number, number>()
    const total = () => [...ended.values()].reduce((sum, each) => sum + each, 0)
    let goesOn = true
    const sendWithoutEnd = async (member: number) => {
      while (goesOn) {
        const slow = lists(member, async (db) => {
          if (goesOn) await sql`select pg_sleep(30)`.execute(db)
        })
        const refused = await slow.then(
          () => null,
          (failure: Failure) => failure.type,
        )
        if (refused === 'database_timeout') ended.set(member, (ended.get(member) ?? 0) + 1)
      }
    }
    const eight = Array.from({ length: 8 }, (_, n) => 100 + n)
    const sending = eight.flatMap((member) => [1, 2, 3, 4].map(() => sendWithoutEnd(member)))
    try {
      await waitFor(() => expect(ended.size).toBe(eight.length))
      for (const term of ['knit', 'sew', 'weave']) {
        const before = total()
        const search = lists(2, (db) => sql<{ term: string }>`select ${term}::text as term`.execute(db))
        expect((await search).rows).toEqual([{ term }])
        expect(total() - before).toBeLessThanOrEqual(eight.length)
      }
    } finally {
      goesOn = false
      await Promise.all(sending)
    }
  })

  test("a member has two expensive lists running, in order, while another member's list runs too", async () => {
    const lists = createExpensiveListQueryLimiter(w.database, patientQueue)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const list = (member: number, name: string) =>
      lists(member, () => {
        begun.push(name)
        return new Promise<void>((end) => ends.push(end))
      })
    const all = [list(1, 'ana 1'), list(1, 'ana 2'), list(1, 'ana 3'), list(1, 'ana 4'), list(2, 'bea 1')]
    await waitFor(() => expect(begun.toSorted()).toEqual(['ana 1', 'ana 2', 'bea 1']))
    ends[begun.indexOf('ana 1')]?.()
    await waitFor(() => expect(begun.slice(3)).toEqual(['ana 3']))
    for (let n = 1; n <= 5; n += 1) {
      await waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(Math.min(n + 2, 5)))
      for (const end of ends) end()
    }
    expect(begun[4]).toBe('ana 4')
    await Promise.all(all)
  })

  test('a member with running or slow lists waits until other members have been served', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const lists = createExpensiveListQueryLimiter(w.database, patientQueue)
    const [anas, beas] = [1, 2]
    const take = (member: number, ms: number) =>
      lists(member, async () => {
        vi.advanceTimersByTime(ms)
      })
    await take(anas, listStatementTimeoutMs)
    for (let n = 0; n < 8; n += 1) await take(beas, 100)
    const begun: string[] = []
    const ends = new Map<string, () => void>()
    const list = (member: number, name: string) =>
      lists(member, () => {
        begun.push(name)
        return new Promise<void>((end) => ends.set(name, end))
      })
    const all = [list(3, 'cleo 1'), list(4, 'dora 1'), list(5, 'eva 1'), list(beas, 'bea 1')]
    await waitFor(() => expect(begun).toHaveLength(4))
    all.push(list(anas, 'ana 2'), list(beas, 'bea 2'), list(3, 'cleo 2'), list(6, 'fe 1'))
    for (const [index, name] of ['dora 1', 'eva 1', 'bea 1', 'cleo 1'].entries()) {
      ends.get(name)?.()
      await waitFor(() => expect(begun).toHaveLength(index + 5))
    }
    for (const end of ends.values()) end()
    await Promise.all(all)
    expect(begun.slice(4)).toEqual(['fe 1', 'cleo 2', 'bea 2', 'ana 2'])
  })

  test('if too many lists are waiting, the member with the most waiting lists is refused', async () => {
    const lists = createExpensiveListQueryLimiter(w.database, { total: 3, maxWaitMs: 60_000 })
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const refused: [string, Failure][] = []
    const list = (member: number, name: string) =>
      lists(member, () => gate).catch((failure: Failure) => void refused.push([name, failure]))
    const underWay = [5, 5, 6, 6].map((member) => list(member, 'under way'))
    const waiting = [list(1, 'ana 1'), list(1, 'ana 2'), list(2, 'bea'), list(3, 'cleo'), list(1, 'ana 3')]
    try {
      await waitFor(() => expect(refused.map(([name]) => name)).toEqual(['ana 2', 'ana 3']))
      for (const [, failure] of refused) expect(failure).toMatchObject({ status: 503, retryAfter: 2 })
    } finally {
      open()
      await Promise.all([...underWay, ...waiting])
    }
  })

  test('a list is refused if no connection becomes free in time', async () => {
    const lists = createExpensiveListQueryLimiter(w.database, { total: 3, maxWaitMs: 1 })
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const underWay = [5, 5, 6, 6].map((member) => lists(member, () => gate))
    await expect(lists(1, () => gate)).rejects.toMatchObject({ status: 503, retryAfter: 2 })
    open()
    await Promise.all(underWay)
  })

  test('a member can have thirty lists waiting, and more are refused immediately', async () => {
    const lists = createExpensiveListQueryLimiter(w.database, patientQueue)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const all = Array.from({ length: 32 }, () => lists(1, () => gate))
    await expect(lists(1, () => gate)).rejects.toMatchObject({ status: 429, retryAfter: 1 })
    open()
    await Promise.all(all)
    await expect(lists(1, async () => 'again')).resolves.toBe('again')
  })
})
