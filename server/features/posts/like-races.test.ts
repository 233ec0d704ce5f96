import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import {
  createPostOperation,
  getPostOperation,
  listLikedPostsOperation,
  type Post,
} from '#contract/posts/posts.ts'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { countResponsesByStatus, createArrayByIndex, raceTimeoutMs } from '#tests/support/run-race-rounds.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
let bea: MemberClient
let post: Post
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
  bea = await w.join('Bea')
  const imageId = await bea.upload(await createJpeg())
  post = await bea.call(createPostOperation, {
    caption: 'La más tocada',
    location: 'Aquí',
    tags: [],
    imageId,
  })
})
afterAll(() => w.end())

/** Retries while the node is overloaded. */
async function press(who: MemberClient, on: boolean): Promise<ApiResponse> {
  const answer = await who.request(on ? 'PUT' : 'DELETE', `/v1/posts/${post.$id}/like`, {})
  return answer.status === 503 ? press(who, on) : answer
}

test('LIKE-01 500 concurrent likes by two members all succeed and leave two likes on the post', {
  timeout: raceTimeoutMs,
}, async () => {
  const answers = await Promise.all(createArrayByIndex(500, (n) => press(n % 2 ? ana : bea, true)))
  expect(countResponsesByStatus(answers)).toEqual({ 200: 500 })
  expect(await ana.call(getPostOperation, { postId: post.$id })).toMatchObject({ liked: true, likeCount: 2 })
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})

test.each([
  ['both like it', true, true],
  ['only ana likes it', true, false],
  ['nobody likes it', false, false],
])(
  'LIKE-11 C03 after 500 concurrent likes and unlikes, the last request counts: %s',
  {
    timeout: raceTimeoutMs,
  },
  async (_, anas, beas) => {
    const answers = await Promise.all(createArrayByIndex(500, (n) => press(n % 2 ? ana : bea, n % 3 === 0)))
    expect(countResponsesByStatus(answers)).toEqual({ 200: 500 })
    // Each response contains the result of its own request.
    expect(answers.map(({ body }) => (body as { liked: boolean }).liked)).toEqual(
      createArrayByIndex(500, (n) => n % 3 === 0),
    )
    await Promise.all([press(ana, anas), press(bea, beas)])
    for (const [who, liked] of [
      [ana, anas],
      [bea, beas],
    ] as const) {
      const likeCount = Number(anas) + Number(beas)
      expect(await who.call(getPostOperation, { postId: post.$id })).toMatchObject({ liked, likeCount })
      expect((await who.call(listLikedPostsOperation, {})).documents).toHaveLength(Number(liked))
    }
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
  },
)
