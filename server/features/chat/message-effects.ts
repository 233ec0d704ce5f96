import type { Selectable } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'

type MessageRow = Selectable<DatabaseTables['messages']>

/** After the update, another message may be the conversation's newest. */
export async function afterMessageUpdated(
  tx: StoreTransaction,
  before: MessageRow,
  after: MessageRow,
): Promise<void> {
  if (before.unsent_at === null && after.unsent_at !== null)
    await tx.recordChange('conversations', after.conversation_id)
}
