import fc from 'fast-check'
import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import {
  createCommentOperation,
  deleteCommentOperation,
  likeCommentOperation,
  listCommentsOperation,
  unlikeCommentOperation,
} from '#contract/comments/comments.ts'
import {
  type Comment,
  callOrExpectRefusal,
  canSeePost,
  defineModelCommand,
  itemNumberArbitrary,
  type ModelCommand,
  memberIndexArbitrary,
  type Post,
  pickByNumber,
} from './model-state.ts'

/** Returns comments that still have a text, each with its thread. */
const commentsOf = (post: Post) =>
  post.threads.flatMap((thread) => [
    ...(thread.removed ? [] : [{ thread, comment: thread as Comment }]),
    ...thread.answers.map((comment) => ({ thread, comment })),
  ])

/** An author who left the group still sees her post but cannot comment on it. */
const mayComment = (post: Post, who: number) => post.group === null || post.group.members.has(who)

export async function expectCommentsMatch(post: Post, people: MemberClient[], who: number): Promise<void> {
  const page = await people[who]?.call(listCommentsOperation, { postId: post.id, limit: 50 })
  const seen = (comment: Comment) => ({
    $id: comment.id,
    content: comment.content,
    author: { $id: people[comment.author]?.id },
    likeCount: comment.likes.size,
    liked: comment.likes.has(who),
  })
  expect(page).toMatchObject({
    total: commentsOf(post).length,
    documents: post.threads.map((thread) => ({
      ...(thread.removed ? { $id: thread.id, content: '', author: null, removed: true } : seen(thread)),
      replyCount: thread.answers.length,
      replies: thread.answers.slice(0, 3).map(seen),
    })),
  })
}

export const commentModelCommands: fc.Arbitrary<ModelCommand>[] = [
  fc
    .tuple(memberIndexArbitrary, itemNumberArbitrary, fc.option(itemNumberArbitrary))
    .map(([who, which, whose]) =>
      defineModelCommand(
        `${who} comments on ${which}, answering ${whose ?? 'nobody'}`,
        async ({ posts }, { people }) => {
          const post = pickByNumber(posts, which)
          if (!post) return
          const answered = whose === null ? undefined : pickByNumber(commentsOf(post), whose)
          const content = `palabras ${commentsOf(post).length}`
          const made = await callOrExpectRefusal(
            people[who],
            createCommentOperation,
            { postId: post.id, content, ...(answered && { parentId: answered.comment.id }) },
            mayComment(post, who),
          )
          if (!made) return
          const comment = { id: made.$id, author: who, content, likes: new Set<number>() }
          if (answered) answered.thread.answers.push(comment)
          else post.threads.push({ ...comment, removed: false, answers: [] })
        },
      ),
    ),
  fc.tuple(memberIndexArbitrary, itemNumberArbitrary, itemNumberArbitrary).map(([who, which, whose]) =>
    defineModelCommand(`${who} removes comment ${whose} of ${which}`, async ({ posts }, { people }) => {
      const post = pickByNumber(posts, which)
      const { thread, comment } = (post && pickByNumber(commentsOf(post), whose)) ?? {}
      if (!post || !thread || !comment) return
      const may = comment.author === who || post.creator === who
      await callOrExpectRefusal(people[who], deleteCommentOperation, { commentId: comment.id }, may)
      if (!may) return
      if (comment !== thread) thread.answers.splice(thread.answers.indexOf(comment), 1)
      else if (thread.answers.length > 0 && post.creator !== who) thread.removed = true
      else post.threads.splice(post.threads.indexOf(thread), 1)
      if (thread.removed && thread.answers.length === 0) post.threads.splice(post.threads.indexOf(thread), 1)
    }),
  ),
  fc
    .tuple(memberIndexArbitrary, itemNumberArbitrary, itemNumberArbitrary, fc.boolean())
    .map(([who, which, whose, on]) =>
      defineModelCommand(
        `${who} ${on ? 'likes' : 'no longer likes'} comment ${whose} of ${which}`,
        async ({ posts }, { people }) => {
          const post = pickByNumber(posts, which)
          const { comment } = (post && pickByNumber(commentsOf(post), whose)) ?? {}
          if (!post || !comment || (!on && !canSeePost(post, who))) return
          const operation = on ? likeCommentOperation : unlikeCommentOperation
          await callOrExpectRefusal(people[who], operation, { commentId: comment.id }, canSeePost(post, who))
          if (!canSeePost(post, who)) return
          if (on) comment.likes.add(who)
          else comment.likes.delete(who)
        },
      ),
    ),
]
