import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Comment,
  createCommentOperation,
  deleteCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
} from '#contract/comments/comments.ts'
import { blockMemberOperation } from '#contract/people/blocks.ts'
import { getPostOperation } from '#contract/posts/posts.ts'
import { findBrokenDatabaseInvariants } from '#tests/support/find-broken-invariants.ts'
import { createPostInGroup } from '#tests/support/group-factory.ts'
import { createTestWorld, type MemberClient, type TestWorld } from '#tests/support/world.ts'

let w: TestWorld
let ana: MemberClient
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  ana = await w.join('Ana')
})
afterAll(() => w.end())

const postOf = (author: MemberClient) => createPostInGroup(w.database, author, null)
const say = (who: MemberClient, postId: string, content: string): Promise<Comment> =>
  who.call(createCommentOperation, { postId, content })
const read = (who: MemberClient, postId: string, before?: string) =>
  who.call(listCommentsOperation, { postId, ...(before !== undefined && { before }) })
const close = async (who: MemberClient) =>
  expect((await who.request('PATCH', '/v1/account/status', {})).status).toBe(200)

test('CMT-14 after 300 random actions, each of three readers counts exactly the comments that she can open', async () => {
  const people = await Promise.all(['Elsa', 'Fina', 'Gala', 'Hilda'].map((name) => w.join(name)))
  const postId = await postOf(ana)
  const alive: { id: string; author: MemberClient }[] = []
  let seed = 20261124
  const random = (below: number) => {
    seed = (seed * 1103515245 + 12345) % 2147483648
    return Math.floor((seed / 2147483648) * below)
  }
  for (let act = 0; act < 300; act += 1) {
    const who = people[random(people.length)] as MemberClient
    const some = alive[random(Math.max(1, alive.length))]
    const what = random(10)
    if (what < 4 || !some) alive.push({ id: (await say(who, postId, `Hilo ${act}`)).$id, author: who })
    else if (what < 8) {
      const answer = await who.ask(createCommentOperation, {
        postId,
        content: `R ${act}`,
        parentId: some.id,
      })
      if (answer.status === 201) alive.push({ id: (answer.body as Comment).$id, author: who })
    } else {
      await (what === 8 ? some.author : ana).ask(deleteCommentOperation, { commentId: some.id })
      alive.splice(alive.indexOf(some), 1)
    }
  }
  const [elsa, fina, gala] = people as [MemberClient, MemberClient, MemberClient]
  await fina.call(blockMemberOperation, { personId: elsa.id })
  await close(gala)
  const totals: number[] = []
  for (const reader of [ana, elsa, fina]) {
    let opened = 0
    for (let before: string | undefined, more = true; more; ) {
      const { documents, next } = await read(reader, postId, before)
      for (const thread of documents) {
        if (!thread.removed) opened += 1
        for (let after: string | undefined, others = true; others; ) {
          const page = await reader.call(listRepliesOperation, {
            commentId: thread.$id,
            ...(after !== undefined && { after }),
          })
          opened += page.documents.filter(({ removed }) => !removed).length
          after = page.next ?? undefined
          others = page.next !== null
        }
      }
      before = next ?? undefined
      more = next !== null
    }
    const { commentCount } = await reader.call(getPostOperation, { postId })
    expect([commentCount, (await read(reader, postId)).total]).toEqual([opened, opened])
    totals.push(opened)
  }
  expect(new Set(totals).size).toBeGreaterThan(1)
  expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
})
