/** Liking or saving a post twice has no further effect, nor has undoing it twice. */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import {
  likePostOperation,
  listLikersOperation,
  savePostOperation,
  unlikePostOperation,
  unsavePostOperation,
} from '#contract/posts/posts.ts'
import type { AppContext } from '../../app-context.ts'
import { assertActorIsCaller } from '../../auth/session.ts'
import { type BindNamedValue, compileStatementOnce } from '../../database/compiled-statement.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import { isValidPublicId } from '../../ids.ts'
import {
  memberKeyParameter,
  selectReadableRows,
  whereMemberMayLikePost,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { buildChangeStatement } from '../../store/change-log-writer.ts'
import type { ListedRow } from '../../store/pagination.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { hydratePeople } from '../people/hydrate-people.ts'
import { canReadPostByJoiningGroup } from './post-routes.ts'

export function registerLikeAndSaveRoutes(app: FastifyInstance, context: AppContext): void {
  for (const [operation, liked] of [
    [likePostOperation, true],
    [unlikePostOperation, false],
  ] as const) {
    registerRoute(app, context, operation, async ({ postId, userId }, { me, store }) => {
      assertActorIsCaller(me, userId)
      const likeCount = await store.autocommit((tx) => setPostLike(tx, me.id, postId, liked))
      return { liked, likeCount }
    })
  }

  registerRoute(app, context, listLikersOperation, async ({ postId, cursor, limit = listPageSize }, ctx) => {
    const { me, database, config } = ctx
    const db = database.kysely
    const meParam = memberKeyParameter(me.id)
    const post = await selectReadableRows(db, meParam, 'posts')
      .select('id')
      .where('public_id', '=', postId)
      .executeTakeFirst()
    if (!post)
      return throwFailure(
        (await canReadPostByJoiningGroup(db, me.id, postId))
          ? 'group_membership_required'
          : 'document_not_found',
      )
    const after = cursor === undefined ? null : await findLikersCursor(db, me.id, post.id, cursor)
    const { rows } = await sql<ListedRow>`
      select u.id, u.public_id from post_likes l join users u on u.id = l.user_id
      where l.post_id = ${post.id} and ${whereMemberMayRead(meParam, 'post_likes', 'l')} and ${whereMemberMayRead(meParam, 'users', 'u')}
        ${after ? sql`and (l.created_at, l.user_id) < (${after.created_at}, ${after.user_id})` : sql``}
      order by l.created_at desc, l.user_id desc limit ${limit}`.execute(db)
    const keys = rows.map((row) => row.id)
    return {
      documents: await hydratePeople(db, config, me.id, keys, { counts: false }),
      next: rows.length === limit ? encodeLikersCursor(rows) : null,
    }
  })

  registerRoute(app, context, savePostOperation, async ({ postId, userId }, { me, store }) => {
    assertActorIsCaller(me, userId)
    await store.transact(async (tx) => {
      const post_id = await readablePostKey(tx, me.id, postId)
      await tx.insert(me.id, 'saves', { user_id: me.id, post_id })
    })
    return { saved: true }
  })

  registerRoute(app, context, unsavePostOperation, async ({ postId, userId }, { me, store }) => {
    assertActorIsCaller(me, userId)
    await store.transact(async (tx) => {
      // A save is the caller's own, so it can be removed from an unreadable post.
      const { rows } = await sql<{ public_id: string }>`
        select s.public_id from saves s join posts p on p.id = s.post_id
        where s.user_id = ${me.id} and p.public_id = ${postId}
          and ${whereMemberMayRead(memberKeyParameter(me.id), 'saves', 's')} for update of s`.execute(tx.db)
      if (rows[0]) await tx.remove(me.id, 'saves', rows[0].public_id)
      else await readablePostKey(tx, me.id, postId)
    })
    return { saved: false }
  })
}

/** A cursor has room for two ids of 36 characters. */
const likersInCursor = 2

/** The cursor contains no times, because the time of a like is private. */
const encodeLikersCursor = (rows: readonly ListedRow[]) =>
  rows
    .slice(-likersInCursor)
    .map((row) => row.public_id)
    .join('~')

/** The cursor names several likes, because one may have been removed. */
async function findLikersCursor(
  db: Kysely<DatabaseTables>,
  me: number,
  post: number,
  cursor: string,
): Promise<{ created_at: Date; user_id: number }> {
  const ids = cursor.split('~').filter(isValidPublicId)
  const { rows } = await sql<{ created_at: Date; user_id: number }>`
    select l.created_at, l.user_id from post_likes l join users u on u.id = l.user_id
    where l.post_id = ${post} and u.public_id = any(${ids}::text[])
      and ${whereMemberMayRead(memberKeyParameter(me), 'post_likes', 'l')}
    order by l.created_at, l.user_id limit 1`.execute(db)
  return rows[0] ?? throwFailure('general_cursor_not_found', { field: 'cursor' })
}

const buildLikeChange = (
  value: BindNamedValue<{ me: number; postId: string }>,
  liked: boolean,
): RawBuilder<{ like_count: number }> => {
  const me = memberKeyParameter(value('me'))
  const change = liked
    ? sql`insert into post_likes (post_id, user_id) select id, ${me} from post on conflict do nothing returning post_id`
    : sql`delete from post_likes l using post where l.post_id = post.id and l.user_id = ${me} returning l.post_id`
  // Locks the membership that grants access, then the post, as editing does. Without the first lock, a member
  // could still like the post after the response to their removal from the group. The second lock keeps the
  // like count exact.
  return buildChangeStatement(
    'posts',
    sql`post as materialized (
        select p.* from posts p where p.public_id = ${value('postId')} and ${whereMemberMayLikePost(me, 'p')}
        for no key update of p
      ), changed as (${change}), written as (select post.* from post join changed on changed.post_id = post.id)`,
    sql<{ like_count: number }>`
      post.like_count ${liked ? sql`+` : sql`-`} (select count(*)::int from changed) as like_count from post`,
    value('me'),
  )
}

const likeStatement = compileStatementOnce((value: BindNamedValue<{ me: number; postId: string }>) =>
  buildLikeChange(value, true),
)
const unlikeStatement = compileStatementOnce((value: BindNamedValue<{ me: number; postId: string }>) =>
  buildLikeChange(value, false),
)

/** @throws Failure document_not_found if the caller cannot read the post */
export async function setPostLike(
  tx: StoreTransaction,
  me: number,
  postId: string,
  liked: boolean,
): Promise<number> {
  const post = await tx.recordWith(liked ? likeStatement : unlikeStatement, { me, postId })
  return post?.like_count ?? throwFailure('document_not_found')
}

async function readablePostKey(tx: StoreTransaction, me: number, postId: string): Promise<number> {
  const post = await selectReadableRows(tx.db, memberKeyParameter(me), 'posts')
    .select('id')
    .where('public_id', '=', postId)
    .executeTakeFirst()
  return post?.id ?? throwFailure('document_not_found')
}
