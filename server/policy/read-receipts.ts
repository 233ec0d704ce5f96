/** Decides who is told that a message was read: never past what was read while either of the two showed no receipts. */
import { type Expression, sql } from 'kysely'
import { hasBlocked } from './relationships.ts'
import { type ColumnExpressions, eq, type MemberKeyExpression, or, type SqlCondition } from './rule.ts'

/** Tells whether both of a conversation show each other what they have read. */
export const bothShowReadReceipts = (talk: ColumnExpressions<'conversations'>): SqlCondition =>
  sql`not exists (select from users sr where sr.id in (${talk.low_id}, ${talk.high_id}) and not sr.shows_receipts offset 0)`

/** Tells whether a participant's mark is at or past a message, for that participant alone. */
const hasRead = (
  reader: Expression<unknown>,
  message: Expression<unknown>,
  talk: ColumnExpressions<'conversations'>,
): SqlCondition =>
  sql`case ${reader} when ${talk.low_id} then ${talk.low_read_id} else ${talk.high_read_id} end >= ${message}`

/**
 * Tells whether `me` learns that a participant has read a message: one's own reading is known to oneself, and of whom `me` blocked
 * nothing more is told.
 */
export const maySeeReader = (
  me: MemberKeyExpression,
  reader: Expression<unknown>,
  message: Expression<unknown>,
  talk: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(
    sql`${eq(reader, me)} and ${hasRead(reader, message, talk)}`,
    sql`case ${reader} when ${talk.low_id} then coalesce(${talk.low_receipt_id}, ${talk.low_read_id})
      else coalesce(${talk.high_receipt_id}, ${talk.high_read_id}) end >= ${message} and ${bothShowReadReceipts(talk)}
      and not ${hasBlocked(me, reader)}`,
  )
