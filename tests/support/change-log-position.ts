import { expect } from 'vitest'
import type { MemberClient } from '#api-client/member-client.ts'
import type { Message } from '#contract/chat/messages.ts'
import { type CollectionChange, catchUpOperation } from '#contract/realtime/realtime.ts'
import type { Database } from '#server/database/open-database.ts'
import { waitFor } from './wait-for.ts'

/** Waits for transactions of other databases, during which the position stays behind and changes repeat. */
export async function waitForChangePosition({ pool }: Database, person: MemberClient): Promise<string> {
  await waitFor(async () => {
    const { rows } = await pool.query<{ behind: boolean }>(
      `select coalesce(max(xid::text::bigint), 0) < pg_snapshot_xmin(pg_current_snapshot())::text::bigint as behind
       from changes`,
    )
    expect(rows[0]?.behind).toBe(true)
  })
  return (await person.call(catchUpOperation, {})).position
}

/** Omits deleted messages. */
export const extractMessagesFromChanges = (changes: readonly CollectionChange[]): Message[] =>
  changes.flatMap((change) =>
    change.collection === 'messages' && change.kind !== 'delete' ? [change.document] : [],
  )
