/**
 * Leaves muted members out of lists. Muting is a preference, not a permission: their profile, posts, groups
 * and conversations stay readable.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { memberKeyParameter } from '../../policy/index.ts'

/** `me` has not muted a member. Reads all mutes once per statement. */
export const whereNotMuted = (
  me: number | Expression<number>,
  member: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`${member} not in (select mu.muted_id from mutes mu where mu.muter_id = ${memberKeyParameter(me)})`

/** A member neither muted nor restricted another. Looks up pairs one by one, for rows of many members. */
export const whereNeitherMutedNorRestricted = (
  member: Expression<unknown>,
  actor: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`(not exists (select from mutes mu where mu.muter_id = ${member} and mu.muted_id = ${actor} offset 0)
    and not exists (select from restrictions rs where rs.restricter_id = ${member} and rs.restricted_id = ${actor} offset 0))`
