import { type Expression, type RawBuilder, sql } from 'kysely'
import type { CollectionName } from '#contract/collection-names.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { TableOf } from '../database/table-names.ts'

/** Tables that are read only through rules: the collections and these others. */
export type PolicyTable =
  | TableOf<CollectionName>
  | 'files'
  | 'post_likes'
  | 'post_edits'
  | 'comment_likes'
  | 'message_reactions'
  | 'post_people'
  | 'blocks'
  | 'follow_requests'
  | 'reports'
  | 'moderation_cases'
  | 'moderation_notices'

export type SqlCondition = RawBuilder<boolean>
export type MemberKeyExpression = Expression<number>
export type ColumnExpressions<T extends PolicyTable> = {
  readonly [Column in keyof DatabaseTables[T]]: Expression<unknown>
}

/** SQL appended to a lookup. `shareLock` locks the row that grants a write until the commit. */
export type RowLockSql = RawBuilder<unknown>
export const noLock: RowLockSql = sql``
export const shareLock: RowLockSql = sql` for share`

export type Rule<T extends PolicyTable> = (
  me: MemberKeyExpression,
  row: ColumnExpressions<T>,
  lock: RowLockSql,
) => SqlCondition

export type Rules<T extends PolicyTable> = {
  read: Rule<T>
  create: Rule<T>
  /** The rule is checked against the current row. */
  update: Rule<T>
  /**
   * The rule is checked against the resulting row. Otherwise an author could move a post into a group they do
   * not belong to.
   */
  updated: Rule<T>
  delete: Rule<T>
}

export type AccessRuleAction = keyof Rules<PolicyTable>

/** Only the server writes such rows. */
export const deny = () => sql<boolean>`false`
export const eq = (left: Expression<unknown>, right: Expression<unknown>): SqlCondition =>
  sql`${left} = ${right}`
/** A column that the statement requires to be null. `isNull` of it is always true. */
const knownNull: Expression<unknown> = sql`null`
const always: SqlCondition = sql`true`
export const isNull = (value: Expression<unknown>): SqlCondition =>
  value === knownNull ? always : sql`${value} is null`
export const or = (...conditions: SqlCondition[]): SqlCondition =>
  conditions.includes(always) ? always : sql`(${sql.join(conditions, sql` or `)})`
export const and = (...conditions: SqlCondition[]): SqlCondition => sql`(${sql.join(conditions, sql` and `)})`
export const not = (condition: SqlCondition): SqlCondition => sql`not (${condition})`

/** Turns `row.caption` into `alias.caption`. */
export function columnExpressionsOf<T extends PolicyTable>(alias: string): ColumnExpressions<T> {
  return new Proxy({} as ColumnExpressions<T>, { get: (_, column) => sql.ref(`${alias}.${String(column)}`) })
}

export const replaceColumns = <T extends PolicyTable>(
  row: ColumnExpressions<T>,
  replaced: Partial<ColumnExpressions<T>>,
): ColumnExpressions<T> =>
  new Proxy(row, {
    get: (columns, column) => Reflect.get(replaced, column) ?? Reflect.get(columns, column),
  })

/** Returns the same columns, with some of them known to be null. */
export const withKnownNulls = <T extends PolicyTable>(
  row: ColumnExpressions<T>,
  columns: readonly string[],
): ColumnExpressions<T> =>
  replaceColumns(
    row,
    Object.fromEntries(columns.map((column) => [column, knownNull])) as Partial<ColumnExpressions<T>>,
  )

export const nullAsFalse = (condition: SqlCondition): SqlCondition => sql`coalesce(${condition}, false)`
