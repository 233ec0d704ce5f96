import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  acceptPhotoTagOperation,
  listPhotosOfMeOperation,
  removePhotoTagOperation,
  tagPersonOperation,
} from '#contract/photo-tags/photo-tags.ts'
import { getPostOperation } from '#contract/posts/posts.ts'
import {
  callOrExpectRefusal,
  canSeePost,
  defineModelCommand,
  type FuzzModelState,
  itemNumberArbitrary,
  type ModelCommand,
  memberIndexArbitrary,
  pickByNumber,
} from './model-state.ts'

export async function expectPhotoTagsMatch(
  { posts }: FuzzModelState,
  person: MemberClient,
  who: number,
): Promise<void> {
  const page = await person.call(listPhotosOfMeOperation, { limit: 50 })
  const expected = posts.flatMap(({ id, named }) => {
    const { name = 'declined' } = named.get(who) ?? {}
    return name === 'declined' ? [] : [`${id} ${name}`]
  })
  expect(page.documents.map(({ postId, name }) => `${postId} ${name}`).toSorted()).toEqual(
    expected.toSorted(),
  )
}

export const photoTagModelCommands: fc.Arbitrary<ModelCommand>[] = [
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, memberIndexArbitrary).map(([who, which, whom]) =>
    defineModelCommand(`${who} names ${whom} in ${which}`, async ({ posts, follows }, { people }) => {
      const post = pickByNumber(posts, which)
      if (!post || post.named.has(whom)) return
      const { photos } = (await people[post.creator]?.call(getPostOperation, { postId: post.id })) ?? {}
      const input = {
        postId: post.id,
        imageId: photos?.[0]?.id ?? '',
        personId: people[whom]?.id ?? '',
        x: 0.5,
        y: 0.5,
      }
      const may =
        post.creator === who && whom !== who && canSeePost(post, whom) && follows.has(`${whom} ${who}`)
      const made = await callOrExpectRefusal(people[who], tagPersonOperation, input, may)
      if (made) post.named.set(whom, { id: made.$id, name: 'waiting' })
    }),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, memberIndexArbitrary).map(([who, which, whose]) =>
    defineModelCommand(
      `${who} says yes to the name of ${whose} in ${which}`,
      async ({ posts }, { people }) => {
        const post = pickByNumber(posts, which)
        const photoTag = post?.named.get(whose)
        if (!post || !photoTag || photoTag.name === 'declined') return
        const may = who === whose && canSeePost(post, who)
        await callOrExpectRefusal(people[who], acceptPhotoTagOperation, { photoTagId: photoTag.id }, may)
        if (may) photoTag.name = 'shown'
      },
    ),
  ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, memberIndexArbitrary).map(([who, which, whose]) =>
    defineModelCommand(`${who} takes the name of ${whose} off ${which}`, async ({ posts }, { people }) => {
      const post = pickByNumber(posts, which)
      const photoTag = post?.named.get(whose)
      if (!post || !photoTag || photoTag.name === 'declined') return
      const may = who === whose || who === post.creator
      await callOrExpectRefusal(people[who], removePhotoTagOperation, { photoTagId: photoTag.id }, may)
      if (who === whose) photoTag.name = 'declined'
      else if (may) post.named.delete(whose)
    }),
  ),
]
