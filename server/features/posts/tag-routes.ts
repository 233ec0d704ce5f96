import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import { listSimilarPostsOperation, listTagPostsOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import type { AppContext } from '../../app-context.ts'
import { throwFailure } from '../../errors.ts'
import { memberKeyParameter, selectReadableRows } from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { hydratePosts } from './hydrate-posts.ts'
import { findPostCursorPosition, toPostPage } from './post-list-routes.ts'
import { findMostCommonSpelling, selectTopicPosts, type TopicPostRow } from './topic-posts.ts'

/** With fewer posts than this, the list would look as if there were almost no similar posts. */
const minSimilarPosts = 4
const maxSimilarPosts = 8
/** The number of compared tags per request, and of compared newest posts per tag. */
const maxComparedTags = 10
const comparedPostsPerTag = 40

export function registerTagRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listTagPostsOperation,
    async ({ tag, cursor, limit = listPageSize }, request) => {
      const { me, database } = request
      const after = cursor === undefined ? null : await findPostCursorPosition(request, cursor)
      const key = sql<string>`topic_key(${tag})`
      const { rows } = await sql<TopicPostRow>`
        select p.id, p.public_id, found.created_at as at,
          (select given from unnest(p.tags) as given where topic_key(given) = ${key} limit 1) as written
        from (${selectTopicPosts(me.id, { kind: 'tag', key }, { limit, after })}) found join posts p on p.id = found.id
        order by found.created_at desc, found.id desc`.execute(database.kysely)
      return { ...(await toPostPage(request, rows, limit)), tag: findMostCommonSpelling(rows) }
    },
  )

  registerRoute(app, context, listSimilarPostsOperation, async ({ postId }, { me, database, config }) => {
    const db = database.kysely
    const post = await selectReadableRows(db, memberKeyParameter(me.id), 'posts')
      .select(['id', 'creator_id'])
      .where('public_id', '=', postId)
      .executeTakeFirst()
    if (!post) return throwFailure('document_not_found')
    const topic = { kind: 'tag', key: sql<string>`shared.topic` } as const
    const condition = sql`p.creator_id not in (${post.creator_id}, ${me.id})`
    const { rows } = await sql<{ id: number }>`
      select found.id from (
        select topic from post_topics where post_id = ${post.id} and kind = 'tag' order by topic limit ${maxComparedTags}
      ) shared, lateral (${selectTopicPosts(me.id, topic, { limit: comparedPostsPerTag, condition })}) found
      group by found.id, found.created_at
      order by count(*) desc, found.created_at desc, found.id desc limit ${maxSimilarPosts}`.execute(db)
    const keys = rows.length < minSimilarPosts ? [] : rows.map(({ id }) => id)
    return { documents: await hydratePosts(db, config, me.id, keys) }
  })
}
