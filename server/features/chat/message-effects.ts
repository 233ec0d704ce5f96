/** Effects of changing a message, in its transaction. */
import type { Selectable } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { WriteContext } from '../../store/write-context.ts'

type MessageRow = Selectable<DatabaseTables['messages']>

/** Records the conversation's change, because its newest message may differ now. */
export async function afterMessageUpdated(
  tx: WriteContext,
  before: MessageRow,
  after: MessageRow,
): Promise<void> {
  if (before.unsent_at === null && after.unsent_at !== null)
    await tx.recordChange('conversations', after.conversation_id)
}
