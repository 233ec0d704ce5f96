/** Each refusal rolls the writing statement back with its own SQLSTATE. */
import { type RawBuilder, sql } from 'kysely'
import {
  type AccessRuleAction,
  memberKeyParameter,
  type PolicyTable,
  whereMayLearnRowExists,
  whereMemberMayWrite,
} from '../policy/index.ts'
import { systemActor, type WriteActor } from './actor.ts'

export const refusalSqlStates = {
  forbidden: 'JU401',
  missing: 'JU404',
  unclaimed: 'JU405',
  taken: 'JU409',
} as const

/** If this is the value to write, the statement rolls back with `document_not_found`. */
export const raiseNotFoundSql: RawBuilder<number> = sql`refuse(${sql.lit(refusalSqlStates.missing)})`

/** The server may do everything. */
export const whereActorMayAct = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
  nulls: readonly string[] = [],
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMemberMayWrite(memberKeyParameter(actor), action, table, alias, nulls)

/** A refusal says "not found" unless the actor may learn that the row exists. */
export const whereActorMayLearnRowExists = (
  actor: WriteActor,
  action: AccessRuleAction,
  table: PolicyTable,
  alias: string,
) =>
  actor === systemActor
    ? sql<boolean>`true`
    : whereMayLearnRowExists(memberKeyParameter(actor), action, table, alias)

/** If the id already exists, the error says so, but does not reveal the owner. */
export const refuseUnlessPermitted = (permitted: RawBuilder<unknown>) => sql`
  case when ${permitted} then 1 when written.existed then refuse(${sql.lit(refusalSqlStates.taken)})
    else refuse(${sql.lit(refusalSqlStates.forbidden)}) end as granted`
