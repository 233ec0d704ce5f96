import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroupWithMembers, createPostInGroup } from '#tests/support/group-factory.ts'
import { waitForLockWaits } from '#tests/support/lock-waits.ts'
import { raceTimeoutMs, runRaceRounds } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
beforeAll(async () => {
  w = await createTestWorld()
  ana = await w.join('Ana')
  bea = await w.join('Bea')
})
afterAll(() => w.end())

const one = async (query: string, values: unknown[] = []): Promise<number> =>
  (await w.database.pool.query<{ number: number }>(`select (${query})::int as number`, values)).rows[0]
    ?.number ?? 0

const likesOf = (postId: string) => one('select like_count from posts where public_id = $1', [postId])

test.each([
  { does: 'like', method: 'PUT' },
  { does: 'unlike', method: 'DELETE' },
])(
  "C07 A10 bea's $does of a post during her removal from the group counts before the removal is confirmed, or never",
  {
    timeout: raceTimeoutMs,
  },
  async ({ method }) => {
    let postId: string
    let whenAcknowledged: number | undefined
    await runRaceRounds(
      w.database,
      async () => {
        const groupId = await createGroupWithMembers(ana, bea)
        postId = await createPostInGroup(w.database, ana, groupId)
        const like = `/v1/posts/${postId}/like`
        if (method === 'DELETE') await bea.request('PUT', like, {})
        whenAcknowledged = undefined
        const { promise: acknowledged, resolve: acknowledge } = Promise.withResolvers<void>()
        const holder = await w.database.pool.connect()
        await holder.query('begin')
        await holder.query('select from posts where public_id = $1 for no key update', [postId])
        return [
          () => bea.request(method, like, {}),
          async () => {
            await waitForLockWaits(w.database, 1)
            const answer = await ana.request('DELETE', `/v1/groups/${groupId}/members/${bea.id}`)
            whenAcknowledged = await likesOf(postId)
            acknowledge()
            return answer
          },
          async () => {
            await waitForLockWaits(w.database, 2, acknowledged)
            await holder.query('rollback')
            holder.release()
            return { status: 200 } as Awaited<ReturnType<MemberClient['request']>>
          },
        ]
      },
      async ([liking, removal]) => {
        expect(removal?.status).toBe(200)
        expect(liking?.status).toBe(200)
        expect(await likesOf(postId)).toBe(whenAcknowledged)
      },
    )
  },
)
