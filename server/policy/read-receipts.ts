/** Nobody sees receipts for messages that were read while either participant had receipts off. */
import { type Expression, sql } from 'kysely'
import { hasBlocked } from './relationships.ts'
import { type ColumnExpressions, eq, type MemberKeyExpression, or, type SqlCondition } from './rule.ts'

export const bothShowReadReceipts = (conversation: ColumnExpressions<'conversations'>): SqlCondition =>
  sql`not exists (select from users sr where sr.id in (${conversation.low_id}, ${conversation.high_id}) and not sr.shows_receipts offset 0)`

/** Only the reader may see the result. */
const hasRead = (
  reader: Expression<unknown>,
  message: Expression<unknown>,
  conversation: ColumnExpressions<'conversations'>,
): SqlCondition =>
  sql`case ${reader} when ${conversation.low_id} then ${conversation.low_read_id} else ${conversation.high_read_id} end >= ${message}`

/** Members never learn what a member they blocked has read. */
export const maySeeReader = (
  me: MemberKeyExpression,
  reader: Expression<unknown>,
  message: Expression<unknown>,
  conversation: ColumnExpressions<'conversations'>,
): SqlCondition =>
  or(
    sql`${eq(reader, me)} and ${hasRead(reader, message, conversation)}`,
    sql`case ${reader} when ${conversation.low_id} then coalesce(${conversation.low_receipt_id}, ${conversation.low_read_id})
      else coalesce(${conversation.high_receipt_id}, ${conversation.high_read_id}) end >= ${message} and ${bothShowReadReceipts(conversation)}
      and not ${hasBlocked(me, reader)}`,
  )
