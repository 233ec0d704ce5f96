/** Who is named in a photo, as the model has it: asked by the author, answered by who is named. */
import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  acceptNamingOperation,
  listPhotosOfMeOperation,
  namePersonOperation,
  unnamePersonOperation,
} from '#contract/named-people/named-people.ts'
import { getPostOperation } from '#contract/posts.ts'
import { ask, type Doing, doing, type FuzzModelState, pick, sees, some, somebody } from './model-state.ts'

export async function expectNamingsMatch(
  { posts }: FuzzModelState,
  person: MemberClient,
  who: number,
): Promise<void> {
  const told = await person.call(listPhotosOfMeOperation, { limit: 50 })
  const expected = posts.flatMap(({ id, named }) => {
    const { name = 'declined' } = named.get(who) ?? {}
    return name === 'declined' ? [] : [`${id} ${name}`]
  })
  expect(told.documents.map(({ postId, name }) => `${postId} ${name}`).toSorted()).toEqual(
    expected.toSorted(),
  )
}

export const namingDoings: fc.Arbitrary<Doing>[] = [
  fc.tuple(somebody, some, somebody).map(([who, which, whom]) =>
    doing(`${who} names ${whom} in ${which}`, async ({ posts, follows }, { people }) => {
      const post = pick(posts, which)
      if (!post || post.named.has(whom)) return
      const { photos } = (await people[post.creator]?.call(getPostOperation, { postId: post.id })) ?? {}
      const input = {
        postId: post.id,
        imageId: photos?.[0]?.id ?? '',
        personId: people[whom]?.id ?? '',
        x: 0.5,
        y: 0.5,
      }
      const may = post.creator === who && whom !== who && sees(post, whom) && follows.has(`${whom} ${who}`)
      const made = await ask(people[who], namePersonOperation, input, may)
      if (made) post.named.set(whom, { id: made.$id, name: 'waiting' })
    }),
  ),
  fc.tuple(somebody, some, somebody).map(([who, which, whose]) =>
    doing(`${who} says yes to the name of ${whose} in ${which}`, async ({ posts }, { people }) => {
      const post = pick(posts, which)
      const naming = post?.named.get(whose)
      if (!post || !naming || naming.name === 'declined') return
      const may = who === whose && sees(post, who)
      await ask(people[who], acceptNamingOperation, { namingId: naming.id }, may)
      if (may) naming.name = 'shown'
    }),
  ),
  fc.tuple(somebody, some, somebody).map(([who, which, whose]) =>
    doing(`${who} takes the name of ${whose} off ${which}`, async ({ posts }, { people }) => {
      const post = pick(posts, which)
      const naming = post?.named.get(whose)
      if (!post || !naming || naming.name === 'declined') return
      const may = who === whose || who === post.creator
      await ask(people[who], unnamePersonOperation, { namingId: naming.id }, may)
      if (who === whose) naming.name = 'declined'
      else if (may) post.named.delete(whose)
    }),
  ),
]
