/** Checks the policy inside the writing statement; a refusal rolls it back with its own SQLSTATE. */
import { type RawBuilder, sql } from 'kysely'
import {
  type AccessRuleAction,
  memberKeyParameter,
  type PolicyTable,
  whereMayLearnRowExists,
  whereMemberMayWrite,
} from '../policy/index.ts'
import { systemActor, type WriteActor } from './actor.ts'

/** SQLSTATEs that `refuse()` raises to roll a statement back. */
export const refusalSqlStates = {
  forbidden: 'JU401',
  missing: 'JU404',
  unclaimed: 'JU405',
  taken: 'JU409',
} as const

/** Used as a value to be written: rolls back with `document_not_found`. */
export const raiseNotFoundSql: RawBuilder<number> = sql`refuse(${sql.lit(refusalSqlStates.missing)})`

/** A condition over `alias`: whether the actor may do this to the row. The server may do anything. */
export const whereActorMayAct = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMemberMayWrite(memberKeyParameter(actor), action, table, alias)

/**
 * A condition over `alias`: whether the actor may learn that the row exists, and so gets a refusal instead of
 * "not found".
 */
export const whereActorMayLearnRowExists = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMayLearnRowExists(memberKeyParameter(actor), action, table, alias)

/** Refuses a forbidden insert. If the id exists, the error says so without revealing its owner. */
export const refuseUnlessPermitted = (permitted: RawBuilder<unknown>) => sql`
  case when ${permitted} then 1 when written.existed then refuse(${sql.lit(refusalSqlStates.taken)})
    else refuse(${sql.lit(refusalSqlStates.forbidden)}) end as granted`
