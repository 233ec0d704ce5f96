/**
 * A cursor names its ranking, so later pages stay consistent when a newer ranking exists.
 * The list excludes hidden and withheld posts, even for their author.
 */
import { type RawBuilder, sql } from 'kysely'
import { explorePageSize } from '#contract/limits.ts'
import type { PostPage } from '#contract/posts/posts.ts'
import { throwFailure } from '../../../errors.ts'
import { isValidPublicId } from '../../../ids.ts'
import {
  memberKeyParameter,
  selectFollowedMemberKeys,
  selectJoinedGroupKeys,
  whereMayListPost,
} from '../../../policy/index.ts'
import type { RequestContext } from '../../../route.ts'
import { findKeysetCursorRow } from '../../../store/pagination.ts'
import { whereNotMuted } from '../../people/mute-filter.ts'
import { hydratePosts } from '../hydrate-posts.ts'

/** A ranking of fewer posts would be meaningless, so the list is then empty. */
const minLovedPosts = explorePageSize

type Position = { ranking: number; score: number; id: number }
type LovedPostRow = { id: number; public_id: string; ranking_id: number }

/** @throws Failure general_cursor_not_found, also for an expired ranking */
export async function listTrendingPosts(
  ctx: RequestContext,
  cursor: string | undefined,
  limit: number,
): Promise<PostPage> {
  const { me, database, config } = ctx
  const after = cursor === undefined ? null : await findPosition(ctx, cursor)
  const asked = after ? limit : Math.max(limit, minLovedPosts)
  const { rows } = await selectLovedPosts(me.id, asked, after).execute(database.kysely)
  if (!after && rows.length < minLovedPosts) return { documents: [], next: null }
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const documents = await hydratePosts(
    database.kysely,
    config,
    me.id,
    page.map(({ id }) => id),
  )
  return {
    documents,
    next: last && page.length === limit ? encodePosition(last) : null,
  }
}

function selectLovedPosts(me: number, limit: number, after: Position | null): RawBuilder<LovedPostRow> {
  const meParam = memberKeyParameter(me)
  const ranking = after ? sql`${after.ranking}` : sql`(select max(id) from trending_rankings)`
  const best = (source: RawBuilder<unknown>) => sql`
    select t.post_id as id, t.ranking_id, t.score, p.public_id from trending_posts t join posts p on p.id = t.post_id
    where t.ranking_id = ${ranking} and ${source}
      ${after ? sql`and (t.score, t.post_id) < (${after.score}::real, ${after.id})` : sql``}
      and ${whereMayListPost(meParam, 'p')} and ${whereNotMuted(me, sql.ref('p.creator_id'))}
      and p.hidden_by is null and p.withheld_by is null
    order by t.score desc, t.post_id desc limit ${limit}`
  const ofEach = (owners: RawBuilder<unknown>, source: RawBuilder<unknown>) => sql`
    select found.* from ${owners} as owner, lateral (${best(source)}) found
    order by found.score desc, found.id desc limit ${limit}`
  const authors = sql`(select ${meParam} as id union all select followed.id from ${selectFollowedMemberKeys(meParam)} as followed)`
  return sql<LovedPostRow>`select found.id, found.public_id, found.ranking_id from (
      (${best(sql`t.group_id is null and not t.followers_only`)})
      union all (${ofEach(authors, sql`t.followers_only and t.creator_id = owner.id`)})
      union all (${ofEach(selectJoinedGroupKeys(meParam), sql`t.group_id is not null and t.group_id = owner.id`)})
    ) found
    order by found.score desc, found.id desc limit ${limit}`
}

/** The score counts members whom the reader cannot see, so the cursor omits it. */
const encodePosition = ({ ranking_id, public_id }: LovedPostRow) => `${ranking_id.toString(36)}~${public_id}`

async function findPosition({ me, database }: RequestContext, cursor: string): Promise<Position> {
  const [number = '', id = ''] = cursor.split('~')
  const ranking = Number.parseInt(number, 36)
  if (!isValidPublicId(id) || !Number.isSafeInteger(ranking))
    return throwFailure('general_cursor_not_found', { field: 'cursor' })
  const { rowId } = await findKeysetCursorRow(database.kysely, me, 'posts', id)
  const { rows } = await sql<{ score: number }>`select score from trending_posts
    where ranking_id = ${ranking} and post_id = ${rowId}`.execute(database.kysely)
  const [found] = rows
  if (!found) return throwFailure('general_cursor_not_found', { field: 'cursor' })
  return { ranking, score: found.score, id: rowId }
}
