import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { listPageSize } from '#contract/limits.ts'
import { listPlacePostsOperation, suggestPlacesOperation } from '#contract/posts/posts-by-tag-or-place.ts'
import type { AppContext } from '../../app-context.ts'
import { sqlUnpreparedStatementComment } from '../../database/text-search.ts'
import {
  memberKeyParameter,
  selectFollowedMemberKeys,
  selectJoinedGroupKeys,
  whereMemberMayRead,
  whereOnPlacePage,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { findPostCursorPosition, toPostPage } from './post-list-routes.ts'
import { findMostCommonSpelling, selectTopicPosts, type TopicPostRow } from './topic-posts.ts'

const maxSuggestedPlaces = 24
const maxComparedPlaces = 48
/** Shorter terms would match too much. */
const minTermLength = 2

/** Other members' posts join the place's page a day after their author gave them the place. */
const placePageSource = (me: number) => ({
  condition: whereOnPlacePage(memberKeyParameter(me), 'p', sql.ref('t.since')),
  othersUntil: sql<Date>`now() - interval '24 hours'`,
})

/** Posts with other places are not scanned, because gaps in the response would reveal how many there are. */
const leadsTo = (me: ReturnType<typeof memberKeyParameter>) =>
  sql`(t.creator_id = ${me} or (t.group_id is null and not t.followers_only
      or t.group_id in (select joined.id from ${selectJoinedGroupKeys(me)} as joined)
      or t.followers_only and t.creator_id in (select followed.id from ${selectFollowedMemberKeys(me)} as followed))
    and ${whereOnPlacePage(me, 't', sql.ref('t.since'))}
    and exists (select from users author where author.id = t.creator_id and ${whereMemberMayRead(me, 'users', 'author')}))`

export function registerPlaceRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(
    app,
    context,
    listPlacePostsOperation,
    async ({ place, cursor, limit = listPageSize }, request) => {
      const { me, database } = request
      const after = cursor === undefined ? null : await findPostCursorPosition(request, cursor)
      const topic = { kind: 'place', key: sql<string>`topic_key(${place})` } as const
      const { rows } = await sql<TopicPostRow>`
        select p.id, p.public_id, found.created_at as at, p.location as written
        from (${selectTopicPosts(me.id, topic, { limit, after, ...placePageSource(me.id) })}) found
          join posts p on p.id = found.id
        order by found.created_at desc, found.id desc`.execute(database.kysely)
      return { ...(await toPostPage(request, rows, limit)), place: findMostCommonSpelling(rows) }
    },
  )

  registerRoute(app, context, suggestPlacesOperation, async ({ term }, { me, lists }) => {
    if (term.trim().length < minTermLength) return { places: [] }
    const key = sql`topic_key(${term})`
    // In byte order, texts that begin with the term lie between the term and the term followed by the highest
    // character.
    const beginning = sql`t.kind = 'place' and t.topic >= ${key} and t.topic < ${key} || chr(1114111)
      and ${leadsTo(memberKeyParameter(me.id))}`
    const newest = selectTopicPosts(
      me.id,
      { kind: 'place', key: sql<string>`next.topic` },
      { limit: 1, ...placePageSource(me.id) },
    )
    return lists(me.id, async (db) => {
      const { rows } = await sql<{ location: string }>`${sqlUnpreparedStatementComment}
        with recursive places (topic) as (
          (select t.topic from post_topics t where ${beginning} order by t.topic limit 1)
          union all
          select (select t.topic from post_topics t where ${beginning} and t.topic > places.topic order by t.topic limit 1)
          from places where places.topic is not null
        )
        select p.location from (select topic from places where topic is not null limit ${maxComparedPlaces}) next,
          lateral (${newest}) found join posts p on p.id = found.id
        order by next.topic limit ${maxSuggestedPlaces}`.execute(db)
      return { places: rows.map(({ location }) => location.trim().replace(/\s+/gu, ' ')) }
    })
  })
}
