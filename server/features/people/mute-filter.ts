/** Muting is a preference, not a permission: muted members' content stays readable. */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { memberKeyParameter } from '../../policy/index.ts'

/** Reads all of `me`'s mutes once per statement. */
export const whereNotMuted = (
  me: number | Expression<number>,
  member: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`${member} not in (select mu.muted_id from mutes mu where mu.muter_id = ${memberKeyParameter(me)})`

/** Looks up each pair, for queries with rows of many members. */
export const whereNeitherMutedNorRestricted = (
  member: Expression<unknown>,
  actor: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`(not exists (select from mutes mu where mu.muter_id = ${member} and mu.muted_id = ${actor} offset 0)
    and not exists (select from restrictions rs where rs.restricter_id = ${member} and rs.restricted_id = ${actor} offset 0))`
