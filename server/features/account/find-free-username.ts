import { randomInt } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { usernameLengthLimits } from '#contract/limits.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { throwFailure } from '../../errors.ts'

/**
 * Tries `lucia`, then `lucia2` to `lucia99`, then `lucia` and then `socia` with random digits.
 * @param amongApplicants avoids usernames of waiting applications, which members must not learn
 */
export async function findFreeUsername(
  db: Kysely<DatabaseTables>,
  wanted: string,
  { amongApplicants = false } = {},
): Promise<string> {
  const stem = wanted.slice(0, usernameLengthLimits.max - 6)
  const candidates = [wanted]
  for (let n = 2; n < 100; n += 1) candidates.push(`${stem}${n}`)
  for (const word of [stem, 'socia']) {
    for (let n = 0; n < 10; n += 1) candidates.push(`${word}${randomInt(100, 1_000_000)}`)
  }
  // The outer query keeps the inner order, so the expensive check runs last and stops at the first free name.
  const { rows } = await sql<{ username: string }>`
    select candidate as username from (
      select candidate from unnest(${candidates}::text[]) with ordinality as c (candidate, position)
      where not exists (
        select from users u where u.username_key = lower(candidate) or u.username_skeleton = username_skeleton(candidate)
      ) and not exists (
        select from held_usernames h
        where h.username_skeleton = username_skeleton(candidate) and h.held_until > clock_timestamp()
      ) and not exists (
        select from applications p where ${amongApplicants} and p.state = 'waiting'
          and (p.username_key = lower(candidate) or p.username_skeleton = username_skeleton(candidate))
      ) order by position offset 0
    ) free where not impersonates_operator(candidate, true) limit 1`.execute(db)
  return rows[0]?.username ?? throwFailure('user_username_already_exists')
}
