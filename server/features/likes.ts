/** Likes and saves: one row each, whoever asks and however often (spec §4 Like, Save; readings R-07, D-05). */
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { likePost, savePost, unlikePost, unsavePost } from '#contract/posts.ts'
import { fail } from '../errors.ts'
import { actsAsHerself, serve } from '../operations.ts'
import type { Parts } from '../parts.ts'
import { asMe, permits, visible } from '../policy.ts'
import type { Writing } from '../store.ts'

export function likeOperations(app: FastifyInstance, parts: Parts): void {
  for (const [operation, liked] of [
    [likePost, true],
    [unlikePost, false],
  ] as const) {
    serve(app, parts, operation, async ({ postId, userId }, { me, store }) => {
      actsAsHerself(me, userId)
      const likeCount = await store.once((writing) => setLike(writing, me.id, postId, liked))
      return { liked, likeCount }
    })
  }

  serve(app, parts, savePost, async ({ postId, userId }, { me, store }) => {
    actsAsHerself(me, userId)
    await store.transact(async (writing) => {
      const post_id = await readablePostKey(writing, me.id, postId)
      await writing.insert(me.id, 'saves', { user_id: me.id, post_id })
    })
    return { saved: true }
  })

  serve(app, parts, unsavePost, async ({ postId, userId }, { me, store }) => {
    actsAsHerself(me, userId)
    await store.transact(async (writing) => {
      // Also of a post she cannot read any more: the mark is hers.
      const { rows } = await sql<{ public_id: string }>`
        select s.public_id from saves s join posts p on p.id = s.post_id
        where s.user_id = ${me.id} and p.public_id = ${postId} for update of s`.execute(writing.db)
      if (rows[0]) await writing.remove(me.id, 'saves', rows[0].public_id)
      else await readablePostKey(writing, me.id, postId)
    })
    return { saved: false }
  })
}

/**
 * Adds or takes back one member's like of a post, and tells those who see its count; in one statement.
 * @returns the post's likes afterwards
 * @throws Failure document_not_found when she cannot read the post
 */
export async function setLike(writing: Writing, me: number, postId: string, liked: boolean): Promise<number> {
  const asking = asMe(me)
  const change = liked
    ? sql`insert into post_likes (post_id, user_id) select id, ${asking} from post on conflict do nothing returning post_id`
    : sql`delete from post_likes l using post where l.post_id = post.id and l.user_id = ${asking} returning l.post_id`
  // The post is locked as whoever edits or deletes it does, for its count changes with the like; and before it, by the
  // rule, the membership that lets her: else a like would still come after her removal is acknowledged. Because of the lock
  // the count as it is read is the one that the trigger goes on from when the statement ends.
  const post = await writing.tellWithin(
    'posts',
    sql`post as materialized (
        select p.* from posts p
          cross join lateral (select p.id as post_id, ${asking} as user_id) as post_like
        where p.public_id = ${postId} and ${permits(asking, liked ? 'create' : 'delete', 'post_likes', 'post_like')}
        for no key update of p
      ), changed as (${change}), written as (select post.* from post join changed on changed.post_id = post.id)`,
    sql<{ like_count: number }>`
      post.like_count ${liked ? sql`+` : sql`-`} (select count(*)::int from changed) as like_count from post`,
  )
  return post?.like_count ?? fail('document_not_found')
}

async function readablePostKey(writing: Writing, me: number, postId: string): Promise<number> {
  const post = await visible(writing.db, asMe(me), 'posts')
    .select('id')
    .where('public_id', '=', postId)
    .executeTakeFirst()
  return post?.id ?? fail('document_not_found')
}
