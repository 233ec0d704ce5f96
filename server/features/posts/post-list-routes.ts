import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import { explorePageSize, listPageSize, maxSearchResultCount } from '#contract/limits.ts'
import {
  explorePostsOperation,
  listLikedPostsOperation,
  listPersonPostsOperation,
  listSavedPostsOperation,
  type PostPage,
  searchPostsOperation,
} from '#contract/posts/posts.ts'
import type { AppContext } from '../../app-context.ts'
import { type BindNamedValue, compileStatementOnce } from '../../database/compiled-statement.ts'
import { selectNewestMatchingPostKeys, wherePostMentionsTerm } from '../../database/text-search.ts'
import { throwFailure } from '../../errors.ts'
import {
  columnExpressionsOf,
  memberKeyParameter,
  selectReadableRows,
  whereMayListPost,
  whereMemberMayRead,
} from '../../policy/index.ts'
import { type RequestContext, registerRoute } from '../../route.ts'
import { decodePageCursorPosition, encodeCursor } from '../../store/pagination.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import { selectHomeFeedPostKeys } from './home-feed-routes.ts'
import { hydratePosts } from './hydrate-posts.ts'
import { listTrendingPosts } from './trending/list-trending-posts.ts'

/** `at` is the time that orders the list. */
export type PostListRow = { id: number; public_id: string; at: Date }

export function registerPostListRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    explorePostsOperation,
    async ({ cursor, limit = explorePageSize, from = 'everyone', order }, ctx) => {
      if (order === 'loved') return listTrendingPosts(ctx, cursor, limit)
      const { me, database, config } = ctx
      const after = cursor === undefined ? null : await findPostCursorPosition(ctx, cursor)
      if (from !== 'everyone') {
        const sources = from === 'following' ? { followed: true } : { groups: true }
        const keys = await selectHomeFeedPostKeys(database.kysely, me.id, sources, after, limit)
        const documents = await hydratePosts(database.kysely, config, me.id, keys)
        const last = documents.at(-1)
        const next = last && keys.length === limit ? encodeCursor(last.$id, new Date(last.$createdAt)) : null
        return { documents, next }
      }
      const rows = after
        ? await selectExploreRows(database.kysely, { me: me.id, limit, ...after })
        : await selectNewestExploreRows(database.kysely, { me: me.id, limit })
      return toPostPage(ctx, rows, limit)
    },
  )

  registerRoute(app, context, searchPostsOperation, async ({ term }, { me, lists, config }) => {
    if (term === '') return { documents: [] }
    const which = sql`${wherePostMentionsTerm(columnExpressionsOf<'posts'>('p'), term)} and ${whereMayListPost(memberKeyParameter(me.id), 'p')}
      and ${whereNotMuted(me.id, sql.ref('p.creator_id'))}`
    return lists(me.id, async (db) => {
      const { rows } = await selectNewestMatchingPostKeys(which, maxSearchResultCount).execute(db)
      return { documents: await hydratePosts(db, config, me.id, rows[0]?.found ?? []) }
    })
  })

  registerRoute(
    app,
    context,
    listPersonPostsOperation,
    async ({ personId, except, cursor, limit = listPageSize }, ctx) => {
      const { me, database } = ctx
      const person = await selectReadableRows(database.kysely, memberKeyParameter(me.id), 'users')
        .select('id')
        .where('public_id', '=', personId)
        .executeTakeFirst()
      if (!person) return throwFailure('user_not_found')
      const after = cursor === undefined ? null : await findPostCursorPosition(ctx, cursor)
      const { rows } = await sql<PostListRow>`
      select p.id, p.public_id, p.created_at as at from posts p
      where p.creator_id = ${person.id} and ${whereMayListPost(memberKeyParameter(me.id), 'p')}
        ${except === undefined ? sql`` : sql`and p.public_id <> ${except}`}
        ${after ? sql`and (p.created_at, p.id) < (${after.at}, ${after.id})` : sql``}
      order by p.created_at desc, p.id desc limit ${limit}`.execute(database.kysely)
      return toPostPage(ctx, rows, limit)
    },
  )

  registerRoute(app, context, listSavedPostsOperation, (input, ctx) =>
    markedPosts(ctx, input, savesOf(ctx.me.id)),
  )
  registerRoute(app, context, listLikedPostsOperation, (input, ctx) =>
    markedPosts(ctx, input, likesOf(ctx.me.id)),
  )
}

const buildExploreRows = (
  value: BindNamedValue<{ me: number; limit: number }>,
  older: RawBuilder<unknown> = sql``,
): RawBuilder<PostListRow> => sql`
  select p.id, p.public_id, p.updated_at as at from posts p
  where ${whereMayListPost(memberKeyParameter(value('me')), 'p')} and ${whereNotMuted(value('me'), sql.ref('p.creator_id'))} ${older}
  order by p.updated_at desc, p.id desc limit ${value('limit')}`

const selectNewestExploreRows = compileStatementOnce((value: BindNamedValue<{ me: number; limit: number }>) =>
  buildExploreRows(value),
)
const selectExploreRows = compileStatementOnce(
  (value: BindNamedValue<{ me: number; limit: number; at: Date; id: number }>) =>
    buildExploreRows(value, sql`and (p.updated_at, p.id) < (${value('at')}, ${value('id')})`),
)

const savesOf = (me: number) =>
  sql`select s.post_id, s.created_at as at from saves s where ${whereMemberMayRead(memberKeyParameter(me), 'saves', 's')}`

/** The list checks each liked post, so the likes themselves need no read rule. */
const likesOf = (me: number) =>
  sql`select l.post_id, l.created_at as at from post_likes l where l.user_id = ${me}`

async function markedPosts(
  ctx: RequestContext,
  { cursor, limit = listPageSize }: { cursor?: string; limit?: number },
  marks: RawBuilder<unknown>,
): Promise<PostPage> {
  const { me, database } = ctx
  const after = cursor === undefined ? null : await findPostCursorPosition(ctx, cursor)
  const { rows } = await sql<PostListRow>`
    select p.id, p.public_id, m.at from (${marks}) m join posts p on p.id = m.post_id
    where ${whereMayListPost(memberKeyParameter(me.id), 'p')} ${after ? sql`and (m.at, m.post_id) < (${after.at}, ${after.id})` : sql``}
    order by m.at desc, m.post_id desc limit ${limit}`.execute(database.kysely)
  return toPostPage(ctx, rows, limit)
}

export const findPostCursorPosition = ({ me, database }: RequestContext, cursor: string) =>
  decodePageCursorPosition(database.kysely, me, 'posts', cursor)

/** @param limit the requested number of rows; a page with fewer rows is the last */
export async function toPostPage(
  { me, database, config }: RequestContext,
  rows: PostListRow[],
  limit: number,
): Promise<PostPage> {
  const documents = await hydratePosts(
    database.kysely,
    config,
    me.id,
    rows.map((row) => row.id),
  )
  const last = rows.at(-1)
  return { documents, next: last && rows.length === limit ? encodeCursor(last.public_id, last.at) : null }
}
