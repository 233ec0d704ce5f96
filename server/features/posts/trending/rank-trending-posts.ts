/**
 * Ranks posts by the reactions of the last seven days, the same for all readers. Score: `(likers + 2 ·
 * commenters) / (hours since it was made + 12) ^ 1.2`, without the author's own actions. An author's second
 * post for the same audience weighs 0.6, the third 0.36, and so on. A group post does not lower the author's
 * other posts, because their rank would reveal that it exists. The whole ranking is read before writing, so
 * that the change log does not wait.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../../database/schema.ts'
import { hasOpenAccount } from '../../../policy/index.ts'

/** A source is a group or an author's followers. */
const maxPublicPosts = 500
const maxPostsPerSource = 50
/** A reader can scroll for half an hour, even if the next ranking is late. */
const keptMinutes = 35

type RankedPost = {
  id: number
  score: number
  creator_id: number
  group_id: number | null
  followers_only: boolean
}

/**
 * Ranks the posts. An advisory lock lets one node run at a time.
 * @param minAgeMs skips the run if the newest ranking is younger
 */
export const rankTrendingPosts = (db: Kysely<DatabaseTables>, minAgeMs = 0): Promise<boolean> =>
  db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('trending')) and not exists (select from trending_rankings
        where ranked_at > clock_timestamp() - ${minAgeMs} * interval '1 millisecond') as mine`.execute(tx)
    if (!rows[0]?.mine) return false
    const ranked = await selectRankedPosts(tx)
    const columns = {
      ids: ranked.map(({ id }) => id),
      scores: ranked.map(({ score }) => score),
      creators: ranked.map(({ creator_id }) => creator_id),
      groups: ranked.map(({ group_id }) => group_id),
      forFollowers: ranked.map(({ followers_only }) => followers_only),
    }
    await sql`
      with ranking as (insert into trending_rankings default values returning id)
      insert into trending_posts (ranking_id, post_id, score, creator_id, group_id, followers_only)
      select ranking.id, ranked.* from ranking, unnest(${columns.ids}::bigint[], ${columns.scores}::real[],
        ${columns.creators}::bigint[], ${columns.groups}::bigint[], ${columns.forFollowers}::boolean[]) as ranked`.execute(
      tx,
    )
    await sql`delete from trending_rankings
      where ranked_at < clock_timestamp() - ${keptMinutes} * interval '1 minute'`.execute(tx)
    return true
  })

async function selectRankedPosts(tx: Transaction<DatabaseTables>): Promise<RankedPost[]> {
  const withinWeek = (column: string) => sql`${sql.ref(column)} > statement_timestamp() - interval '7 days'`
  const { rows } = await sql<RankedPost>`
    with reactions as (
      select l.post_id, l.user_id as member_id, 1 as weight from post_likes l where ${withinWeek('l.created_at')}
      union all
      select c.post_id, c.author_id, 2 from comments c where ${withinWeek('c.created_at')} and c.removed_at is null
      group by c.post_id, c.author_id
    ), scored as (
      select p.id, p.creator_id, p.group_id, p.followers_only,
        sum(r.weight) / power(greatest(extract(epoch from statement_timestamp() - p.created_at)::float8 / 3600, 0) + 12, 1.2::float8) as score
      from reactions r join posts p on p.id = r.post_id
      where r.member_id <> p.creator_id and p.hidden_by is null and p.withheld_by is null
        and ${hasOpenAccount(sql.ref('p.creator_id'))}
      group by p.id
    ), weighed as (
      -- 0.6^50 is almost zero. PostgreSQL refuses a power that underflows, so the exponent stops at 50.
      select id, creator_id, group_id, followers_only, score * power(0.6::float8, least(50, row_number() over (
        partition by creator_id, group_id, followers_only order by score desc, id desc) - 1)) as score
      from scored
    )
    select id, creator_id, group_id, followers_only, score::float8 as score from (
      select weighed.*, row_number() over (
        partition by group_id, case when followers_only then creator_id end order by score desc, id desc) as place
      from weighed
    ) placed
    where place <= case when group_id is null and not followers_only then ${maxPublicPosts}::int else ${maxPostsPerSource}::int end`.execute(
    tx,
  )
  return rows
}
