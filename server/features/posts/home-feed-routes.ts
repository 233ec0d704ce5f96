/**
 * The query finds the twenty authors with the newest posts, then twenty posts of each author, and the same
 * for groups.
 * A scan over all posts would be slow in the worst case.
 */
import type { FastifyInstance } from 'fastify'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { homeFeedPageSize } from '#contract/limits.ts'
import { getHomeFeedOperation } from '#contract/posts/posts.ts'
import type { AppContext } from '../../app-context.ts'
import { type BindNamedValue, compileStatementOnce } from '../../database/compiled-statement.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import {
  memberKeyParameter,
  selectFollowedMemberKeys,
  selectJoinedGroupKeys,
  wherePostCreatorOpenAndUnblocked,
  wherePostNotHidden,
} from '../../policy/index.ts'
import { registerRoute } from '../../route.ts'
import { findKeysetCursorRow } from '../../store/pagination.ts'
import { whereNotMuted } from '../people/mute-filter.ts'
import { hydratePosts } from './hydrate-posts.ts'

export function registerHomeFeedRoutes(app: FastifyInstance, context: AppContext): void {
  registerRoute(app, context, getHomeFeedOperation, async ({ cursor }, { me, database, config }) => {
    const db = database.kysely
    const last = cursor === undefined ? null : await findKeysetCursorRow(db, me, 'posts', cursor)
    const after = last && { at: last.createdAt, id: last.rowId }
    const sources = { own: true, followed: true, groups: true }
    const keys = await selectHomeFeedPostKeys(db, me.id, sources, after, homeFeedPageSize)
    const documents = await hydratePosts(db, config, me.id, keys)
    return { documents, next: keys.length < homeFeedPageSize ? null : (documents.at(-1)?.$id ?? null) }
  })
}

type FeedSources = { own?: boolean; followed?: boolean; groups?: boolean }

type FeedPosition = { at: Date; id: number }

/**
 * The sources are the caller's current groups and open accounts, so their posts need no further permission
 * check.
 */
export async function selectHomeFeedPostKeys(
  db: Kysely<DatabaseTables>,
  me: number,
  { own = false, followed = false, groups = false }: FeedSources,
  after: FeedPosition | null,
  limit: number,
): Promise<number[]> {
  const kind = [own, followed, groups, after !== null].map(Number).join('')
  const select =
    feedStatements.get(kind) ?? compileStatementOnce(buildFeed({ own, followed, groups }, after !== null))
  feedStatements.set(kind, select)
  const rows = await select(db, { me, limit, at: after?.at ?? null, id: after?.id ?? null })
  return rows.map((row) => row.id)
}

type FeedValues = { me: number; limit: number; at: Date | null; id: number | null }

/** Each combination of sources has one statement for the first page and one for later pages. */
const feedStatements = new Map<string, ReturnType<typeof compileStatementOnce<FeedValues, { id: number }>>>()

const none = sql`(select null::bigint as id where false)`

const buildFeed =
  (sources: Required<FeedSources>, goesOn: boolean) =>
  (value: BindNamedValue<FeedValues>): RawBuilder<{ id: number }> => {
    const meParam = memberKeyParameter(value('me'))
    const limit = value('limit')
    const received = whereNotMuted(value('me'), sql.ref('p.creator_id'))
    const seen = wherePostNotHidden(meParam, 'p')
    const older = goesOn ? sql`and (p.created_at, p.id) < (${value('at')}, ${value('id')})` : sql``
    const own = sources.own ? sql`select ${meParam} as id union all` : sql``
    const followed = sources.followed ? selectFollowedMemberKeys(meParam) : none
    const authors = sql`${own} select followed.id from ${followed} as followed where ${whereNotMuted(value('me'), sql.ref('followed.id'))}`
    const groups = sources.groups ? selectJoinedGroupKeys(meParam) : none
    return sql`
    with authors as (${authors}), leading_authors as (
      select authors.id from authors, lateral (
        select p.created_at, p.id as post from posts p where p.creator_id = authors.id and p.group_id is null and ${seen} ${older}
        order by p.created_at desc, p.id desc limit 1
      ) newest order by newest.created_at desc, newest.post desc limit ${limit}
    ), leading_groups as (
      select mine.id from ${groups} as mine, lateral (
        select p.created_at, p.id as post from posts p where p.group_id = mine.id and ${wherePostCreatorOpenAndUnblocked(meParam, 'p')} and ${received} and ${seen} ${older}
        order by p.created_at desc, p.id desc limit 1
      ) newest order by newest.created_at desc, newest.post desc limit ${limit}
    )
    select id, created_at from (
      select own.id, own.created_at from leading_authors a, lateral (
        select p.id, p.created_at from posts p where p.creator_id = a.id and p.group_id is null and ${seen} ${older}
        order by p.created_at desc, p.id desc limit ${limit}
      ) own
      union all
      select shared.id, shared.created_at from leading_groups g, lateral (
        select p.id, p.created_at from posts p where p.group_id = g.id and ${wherePostCreatorOpenAndUnblocked(meParam, 'p')} and ${received} and ${seen} ${older}
        order by p.created_at desc, p.id desc limit ${limit}
      ) shared
    ) merged
    order by created_at desc, id desc limit ${limit}`
  }
