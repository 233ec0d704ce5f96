/**
 * The condition by which lists leave muted members out. A mute is what the caller wants to see, and no permission: the muted
 * member's profile and posts, a group's own page and the conversation stay as they are.
 */
import { type Expression, type RawBuilder, sql } from 'kysely'
import { memberKeyParameter } from '../../policy/index.ts'

/** Tells that `me` has not muted a member. All of the caller's mutes are read once for the statement. */
export const whereNotMuted = (
  me: number | Expression<number>,
  member: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`${member} not in (select mu.muted_id from mutes mu where mu.muter_id = ${memberKeyParameter(me)})`

/**
 * Tells that a member takes notice of what another does: has neither muted nor restricted that other. For rows of many members,
 * whose pairs are looked up one by one.
 */
export const whereNeitherMutedNorRestricted = (
  member: Expression<unknown>,
  actor: Expression<unknown>,
): RawBuilder<boolean> =>
  sql`(not exists (select from mutes mu where mu.muter_id = ${member} and mu.muted_id = ${actor} offset 0)
    and not exists (select from restrictions rs where rs.restricter_id = ${member} and rs.restricted_id = ${actor} offset 0))`
