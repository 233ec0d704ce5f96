/** Effects of a changed message, in its transaction. */
import type { Selectable } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { WriteContext } from '../../store/write-context.ts'

type MessageRow = Selectable<DatabaseTables['messages']>

/** Records that the conversation changed, whose newest message may be another one now. */
export async function afterMessageUpdated(
  tx: WriteContext,
  before: MessageRow,
  after: MessageRow,
): Promise<void> {
  if (before.unsent_at === null && after.unsent_at !== null)
    await tx.recordChange('conversations', after.conversation_id)
}
