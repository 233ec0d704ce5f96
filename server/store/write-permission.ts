/** Decides a write by the policy inside the statement that writes, and rolls a refused one back with a SQLSTATE of its own. */
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

/** Stands in a value to be written: rolls back with `document_not_found`. */
export const raiseNotFoundSql: RawBuilder<number> = sql`refuse(${sql.lit(refusalSqlStates.missing)})`

/** As a condition over `alias`: whether the actor may do this to the row; the server may do anything. */
export const whereActorMayAct = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMemberMayWrite(memberKeyParameter(actor), action, table, alias)

/** As a condition over `alias`: whether the actor learns that the row exists, so that it is refused rather than not found. */
export const whereActorMayLearnRowExists = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMayLearnRowExists(memberKeyParameter(actor), action, table, alias)

/** Refuses an insert that is not permitted: as taken where the id exists, which does not tell whose it is. */
export const refuseUnlessPermitted = (permitted: RawBuilder<unknown>) => sql`
  case when ${permitted} then 1 when written.existed then refuse(${sql.lit(refusalSqlStates.taken)})
    else refuse(${sql.lit(refusalSqlStates.forbidden)}) end as granted`
