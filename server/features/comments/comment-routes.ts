import type { FastifyInstance } from 'fastify'
import { type Kysely, sql } from 'kysely'
import {
  commentThreadPageSize,
  createCommentOperation,
  deleteCommentOperation,
  inlineReplyCount,
  likeCommentOperation,
  listCommentsOperation,
  listRepliesOperation,
  maxCountedThreads,
  unlikeCommentOperation,
  updateCommentOperation,
} from '#contract/comments/comments.ts'
import type { AllowedCommenters } from '#contract/posts/posts.ts'
import type { AppContext } from '../../app-context.ts'
import type { AuthenticatedMember } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'
import {
  countListedReplies,
  countReadableComments,
  type MemberKeyExpression,
  memberKeyParameter,
  selectHiddenComments,
  whereCommentListed,
  whereCommentShown,
  whereMemberHasAbility,
  whereMemberMayRead,
  whereRemovedCommentWasListed,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { raiseNotFoundSql } from '../../store/write-permission.ts'
import { canReadPostByJoiningGroup } from '../posts/post-routes.ts'
import { setCommentLike } from './comment-likes.ts'
import { hydrateComments } from './hydrate-comments.ts'

export function registerCommentRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listCommentsOperation,
    async ({ postId, before, limit = commentThreadPageSize }, { me, database, config }) => {
      const db = database.kysely
      const page = await readThreadPage(db, me, postId, before, limit)
      if (!page) return failUnreadable(db, me, postId)
      const { threads, ...rest } = page
      const shown = threads.slice(0, limit).toReversed()
      const comments = await hydrateComments(
        db,
        config,
        me.id,
        shown.flatMap(({ id, replies }) => [id, ...replies]),
      )
      // Comments that were removed between the two statements are missing here.
      const replies = Map.groupBy(comments, ({ parentId }) => parentId)
      const replyCounts = new Map(shown.map(({ public_id, reply_count }) => [public_id, reply_count]))
      return {
        ...rest,
        documents: (replies.get(null) ?? []).map((thread) => ({
          ...thread,
          replies: replies.get(thread.$id) ?? [],
          replyCount: replyCounts.get(thread.$id) ?? 0,
        })),
        next: threads.length > limit ? (threads[limit - 1]?.public_id ?? null) : null,
      }
    },
  )

  registerRoute(
    app,
    context,
    listRepliesOperation,
    async ({ commentId, after, limit = commentThreadPageSize }, { me, database, config }) => {
      const db = database.kysely
      const meParam = memberKeyParameter(me.id)
      const { rows: threads } = await sql<{ id: number; after_id: number | null }>`
        select t.id, (
          select a.id from comments a where a.public_id = ${after ?? null} and a.parent_id = t.id
            and ${whereCommentListed(meParam, { post: 'p', comment: 'a' })}
          union all select d.row_id from deleted_rows d where d.collection = 'comments' and d.public_id = ${after ?? null}
            and (d.keys ->> 'parent_id')::bigint = t.id and ${whereDeletedCommentWasListed(meParam)}
          limit 1) as after_id
        from comments t join posts p on p.id = t.post_id
        where t.public_id = ${commentId} and t.parent_id is null and ${whereMemberMayRead(meParam, 'posts', 'p')}
          and ${whereThreadListed(meParam, 't')}`.execute(db)
      const [thread] = threads
      if (!thread) return throwFailure('document_not_found')
      if (after !== undefined && thread.after_id === null)
        return throwFailure('general_cursor_not_found', { field: 'after' })
      const { rows } = await sql<{ id: number; public_id: string }>`
        select a.id, a.public_id from comments a join posts p on p.id = a.post_id
        where a.parent_id = ${thread.id} and a.id > ${thread.after_id ?? 0} and ${whereCommentListed(meParam, { post: 'p', comment: 'a' })}
        order by a.id limit ${limit + 1}`.execute(db)
      const shown = rows.slice(0, limit)
      return {
        documents: await hydrateComments(
          db,
          config,
          me.id,
          shown.map(({ id }) => id),
        ),
        next: rows.length > limit ? (shown.at(-1)?.public_id ?? null) : null,
      }
    },
  )

  registerRoute(
    app,
    context,
    createCommentOperation,
    async ({ postId, content, parentId, commentId }, { me, store, database, config }) => {
      const db = database.kysely
      const meParam = memberKeyParameter(me.id)
      const post = sql`posts p where p.public_id = ${postId} and ${whereMemberMayRead(meParam, 'posts', 'p')}`
      const created = await store
        .transact(async (tx) => {
          await sql`select lock_for_comment(p.id, ${meParam}) from ${post}`.execute(tx.db)
          return tx.insert(me.id, 'comments', {
            ...(commentId !== undefined && { public_id: commentId }),
            post_id: sql`coalesce((select p.id from ${post}), ${raiseNotFoundSql})`,
            author_id: me.id,
            ...(parentId !== undefined && { parent_id: threadKeyValue(meParam, parentId) }),
            content,
          })
        })
        .catch(async (error: { type?: string }) => {
          // The post may have become unreadable meanwhile.
          if (error.type === 'comments_closed' || error.type === 'document_not_found') {
            if (!(await isReadable(db, meParam, postId))) return failUnreadable(db, me, postId)
          }
          throw error
        })
      const [comment] = await hydrateComments(db, config, me.id, [created.id])
      if (!comment) return throwFailure('document_not_found')
      if (created.existed) {
        const isSame = comment.postId === postId && comment.content === content
        if (!isSame || comment.parentId !== (await threadOf(db, parentId)))
          return throwFailure('document_already_exists')
      }
      return comment
    },
  )

  registerRoute(app, context, updateCommentOperation, async ({ commentId, content }, { me, store, config }) =>
    store.transact(async (tx) => {
      const { id } = await tx.update(me.id, 'comments', commentId, { content })
      const [comment] = await hydrateComments(tx.db, config, me.id, [id])
      return comment ?? throwFailure('document_not_found')
    }),
  )

  registerRoute(app, context, deleteCommentOperation, async ({ commentId }, { me, store }) => {
    await store.transact((tx) => tx.remove(me.id, 'comments', commentId))
  })

  for (const [operation, liked] of [
    [likeCommentOperation, true],
    [unlikeCommentOperation, false],
  ] as const) {
    registerRoute(app, context, operation, async ({ commentId }, { me, store }) => ({
      liked,
      likeCount: await store.autocommit((tx) => setCommentLike(tx, me.id, commentId, liked)),
    }))
  }
}

type ThreadRow = { id: number; public_id: string; replies: number[]; reply_count: number }
type ThreadPage = {
  threads: ThreadRow[]
  earlier: number
  total: number
  open: boolean
  commentsFrom: AllowedCommenters
}

/** Reads one thread more than the page shows. */
async function readThreadPage(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  postId: string,
  before: string | undefined,
  limit: number,
): Promise<ThreadPage | undefined> {
  const meParam = memberKeyParameter(me.id)
  const { rows } = await sql<Omit<ThreadPage, 'threads'> & { threads: ThreadRow[] | null; found: boolean }>`
    with p as (select readable.* from posts readable where readable.public_id = ${postId} and ${whereMemberMayRead(meParam, 'posts', 'readable')}),
    hidden as materialized (select hidden.parent_id from p cross join lateral ${selectHiddenComments(meParam, sql.ref('p.id'))} as hidden)
    select ${countReadableComments(meParam, 'p')} as total, ${whereMemberHasAbility(meParam, 'comment', 'posts', 'p')} as open,
      p.comments_from as "commentsFrom",
      ${before ?? null}::text is null or cursor.id is not null as found, listed.threads,
      case when json_array_length(listed.threads) > ${limit} then (select count(*)::int from (
        select from comments t where t.post_id = p.id and t.parent_id is null and ${whereThreadListed(meParam, 't')}
          and t.id < (listed.threads -> ${limit - 1}::int ->> 'id')::bigint limit ${maxCountedThreads}) as counted) else 0 end as earlier
    from p
    left join lateral (
      select t.id from comments t where t.public_id = ${before ?? null} and t.post_id = p.id
        and (${whereThreadListed(meParam, 't')}
          or ${whereRemovedCommentWasListed(meParam, { post: 'p', author: sql.ref('t.author_id'), removed: sql.ref('t.removed_at') })})
      union all select d.row_id from deleted_rows d where d.collection = 'comments' and d.public_id = ${before ?? null}
        and (d.keys ->> 'post_id')::bigint = p.id and ${whereDeletedCommentWasListed(meParam)}
      limit 1
    ) as cursor on true
    cross join lateral (
      select json_agg(json_build_object('id', page.id, 'public_id', page.public_id, 'replies', page.replies,
        'reply_count', page.reply_count) order by page.id desc) as threads
      from (
        select t.id, t.public_id,
          array(select a.id from comments a where a.parent_id = t.id and ${whereCommentListed(meParam, { post: 'p', comment: 'a' })}
            order by a.id limit ${inlineReplyCount}) as replies,
          ${countListedReplies(meParam, { post: 'p', thread: 't', hidden: 'hidden' })} as reply_count
        from comments t
        where t.post_id = p.id and t.parent_id is null and (cursor.id is null or t.id < cursor.id)
          and ${whereThreadListed(meParam, 't')}
        order by t.id desc limit ${limit + 1}
      ) page
    ) as listed`.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { found, threads, ...rest } = row
  if (!found) return throwFailure('general_cursor_not_found', { field: 'before' })
  return { ...rest, threads: threads ?? [] }
}

/**
 * Threads without visible comments are listed only under the caller's own post `p`.
 * `offset 0` makes PostgreSQL look up one thread's replies instead of hashing all replies.
 */
const whereThreadListed = (me: MemberKeyExpression, alias: string) =>
  sql`(${whereCommentListed(me, { post: 'p', comment: alias })} or exists (select from comments answer
    where answer.parent_id = ${sql.ref(`${alias}.id`)} and ${whereCommentShown(me, 'answer')} offset 0))`

/** Matches deleted comments that the caller could see. They remain valid cursors for a day. */
const whereDeletedCommentWasListed = (me: MemberKeyExpression) =>
  whereRemovedCommentWasListed(me, {
    post: 'p',
    author: sql`(d.keys ->> 'author_id')::bigint`,
    removed: sql.ref('d.deleted_at'),
  })

/** The database refuses the key 0 and comments of other posts. */
const threadKeyValue = (me: MemberKeyExpression, commentId: string) =>
  sql`coalesce((select coalesce(c.parent_id, c.id) from comments c join posts p on p.id = c.post_id
    where c.public_id = ${commentId} and ${whereThreadListed(me, 'c')}), 0)`

async function threadOf(db: Kysely<DatabaseTables>, commentId: string | undefined): Promise<string | null> {
  if (commentId === undefined) return null
  const { rows } = await sql<{ id: string }>`
    select coalesce(t.public_id, c.public_id) as id from comments c left join comments t on t.id = c.parent_id
    where c.public_id = ${commentId}`.execute(db)
  return rows[0]?.id ?? null
}

async function isReadable(
  db: Kysely<DatabaseTables>,
  me: MemberKeyExpression,
  postId: string,
): Promise<boolean> {
  const { rows } = await sql`
    select from posts p where p.public_id = ${postId} and ${whereMemberMayRead(me, 'posts', 'p')}`.execute(db)
  return rows.length > 0
}

/**
 * @throws Failure group_membership_required if the caller could read the post after joining its group,
 * otherwise document_not_found
 */
async function failUnreadable(
  db: Kysely<DatabaseTables>,
  me: AuthenticatedMember,
  postId: string,
): Promise<never> {
  return throwFailure(
    (await canReadPostByJoiningGroup(db, me.id, postId)) ? 'group_membership_required' : 'document_not_found',
  )
}
