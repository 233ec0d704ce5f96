/** Likes that come while somebody else has the post: who waits long is not sent away. */
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
})
afterAll(() => w.end())

/** Since when each transaction that waits for a lock has been there. */
async function waiting(): Promise<number[]> {
  const { rows } = await w.database.pool.query<{ since: string }>(
    `select extract(epoch from xact_start)::text as since from pg_stat_activity
     where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return rows.map(({ since }) => Number(since))
}

test.each([
  ['the product', (postId: string) => ana.request('PUT', `/v1/posts/${postId}/like`, {})],
  [
    'an old client',
    (postId: string) => createAppwriteDocumentsClient(ana, 'posts').patch(postId, { likes: [ana.id] }),
  ],
])(
  'C02 a like of %s that the database sends away from a busy post comes again by itself',
  async (_, like) => {
    const postId = await createPostInGroup(w.database, ana, null)
    const holder = await w.database.pool.connect()
    await holder.query('begin')
    await holder.query('select from posts where public_id = $1 for no key update', [postId])
    let answered = false
    const liking = like(postId).finally(() => {
      answered = true
    })
    const seen = new Set<number>()
    while (!answered && seen.size < 2) {
      for (const since of await waiting()) seen.add(since)
      await pause(20)
    }
    await holder.query('rollback')
    holder.release()
    expect((await liking).status).toBe(200)
    expect(seen.size).toBe(2)
  },
)
