import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { searchGroupsOperation } from '#contract/groups.ts'
import { getCurrentSessionOperation } from '#contract/sign-up-and-sign-in.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { createServerLogger } from '#server/log.ts'
import { createAppwriteDocumentsClient, formatRefusalText } from '#tests/support/appwrite-documents-client.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'
import { createExpensiveListQueryLimiter } from './expensive-list-query-limiter.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

/** The limit that a list is counted by, as its answer says. */
async function limitOf(collection: string, ...queries: string[]): Promise<number> {
  const far = { headers: { 'x-forwarded-for': '203.0.113.8' } }
  const { headers } = await createAppwriteDocumentsClient(ana, collection, far).list(...queries)
  return Number(headers['x-ratelimit-limit'])
}
const reads = 1500
const searches = 60

describe('D07 a list that compares texts counts as a search', () => {
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
  ])('%s, %s', async (collection, query) => {
    expect(await limitOf(collection, query)).toBe(searches)
  })

  test.each([
    ['posts', 'orderDesc("$createdAt")'],
    ['posts', `equal("$id", ["a"])`],
    ['messages', 'equal("conversationId", ["a"])'],
    ['conversations', 'contains("participants", ["a"])'],
  ])('%s, %s is a read', async (collection, query) => {
    expect(await limitOf(collection, query)).toBe(reads)
  })

  test('of files by name too', async () => {
    const files = '/v1/storage/buckets/media/files?queries[0]='
    const far = { 'x-forwarded-for': '203.0.113.8' }
    const ask = (query: string) => ana.request('GET', `${files}${encodeURIComponent(query)}`, undefined, far)
    expect((await ask('equal("name", ["a"])')).headers['x-ratelimit-limit']).toBe('60')
    expect((await ask('equal("mimeType", ["a"])')).headers['x-ratelimit-limit']).toBe('1500')
  })
})

describe('D08 a member whose lists are expensive', () => {
  test('is told so, and nobody else waits for a connection meanwhile', async () => {
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
      // Not the whole member, whose posts ask who administers a group.
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

  test('behind a pooler too, where no session keeps a limit', async () => {
    const { directUrl } = w.database
    const pooled = connectToDatabase({ url: directUrl, directUrl, log: createServerLogger('silent') })
    const lists = createExpensiveListQueryLimiter(pooled)
    const slow = lists(1, (db) => sql`select pg_sleep(30)`.execute(db))
    await expect(slow).rejects.toMatchObject({ type: 'database_timeout', status: 400 })
    await pooled.close()
  })

  test('has two at a time, in their order, while another has hers', async () => {
    const lists = createExpensiveListQueryLimiter(w.database)
    const begun: string[] = []
    const ends: (() => void)[] = []
    const list = (member: number, name: string) =>
      lists(member, () => {
        begun.push(name)
        return new Promise<void>((end) => ends.push(end))
      })
    const all = [list(1, 'ana 1'), list(1, 'ana 2'), list(1, 'ana 3'), list(1, 'ana 4'), list(2, 'bea 1')]
    await nextTurn()
    expect(begun).toEqual(['ana 1', 'ana 2', 'bea 1'])
    ends[0]?.()
    await nextTurn()
    expect(begun.slice(3)).toEqual(['ana 3'])
    for (let n = 1; n < 5; n += 1) {
      ends[n]?.()
      await nextTurn()
    }
    await Promise.all(all)
  })

  test('may have thirty waiting; what is more is refused at once', async () => {
    const lists = createExpensiveListQueryLimiter(w.database)
    const { promise: gate, resolve: open } = Promise.withResolvers<void>()
    const all = Array.from({ length: 32 }, () => lists(1, () => gate))
    await expect(lists(1, () => gate)).rejects.toMatchObject({ status: 429, retryAfter: 1 })
    open()
    await Promise.all(all)
    await expect(lists(1, async () => 'again')).resolves.toBe('again')
  })
})
