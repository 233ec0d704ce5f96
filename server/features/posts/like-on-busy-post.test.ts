import { afterAll, beforeAll, expect, test } from 'vitest'
import { captureSqlStatements } from '#server/database/prepared-statements.ts'
import { createAppwriteDocumentsClient } from '#tests/support/appwrite-documents-client.ts'
import { timeoutsWithShortLockWait } from '#tests/support/database.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { waitForSecondLockWait } from '#tests/support/lock-waits.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({}, undefined, timeoutsWithShortLockWait)
  ana = await w.join('Ana')
})
afterAll(() => w.end())

test.each([
  ['the product', (postId: string) => ana.request('PUT', `/v1/posts/${postId}/like`, {})],
  [
    'an old client',
    (postId: string) => createAppwriteDocumentsClient(ana, 'posts').patch(postId, { likes: [ana.id] }),
  ],
])('C02 a like by %s that the database rejects on a busy post is retried automatically', async (_, like) => {
  const postId = await createPostInGroup(w.database, ana, null)
  const holder = await w.database.pool.connect()
  await holder.query('begin')
  await holder.query('select from posts where public_id = $1 for no key update', [postId])
  const liking = like(postId)
  await waitForSecondLockWait(w.database)
  await holder.query('rollback')
  holder.release()
  expect((await liking).status).toBe(200)
})

test('P11 a like looks its post up once', async () => {
  const postId = await createPostInGroup(w.database, ana, null)
  const { statements } = await captureSqlStatements(() => ana.request('PUT', `/v1/posts/${postId}/like`, {}))
  expect(statements.at(-1)?.match(/from posts /g)).toHaveLength(1)
})
