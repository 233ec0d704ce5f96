import type { Database } from '#server/database/open-database.ts'

const deadlockCode = '40P01'

/**
 * Removes every conversation and what hangs on it, between two scenes of a test. Truncating locks one table after another,
 * while the job that writes notifications reads them: the database ends one of the two, and here that is asked again.
 */
export async function removeAllConversations({ pool }: Pick<Database, 'pool'>): Promise<void> {
  try {
    await pool.query('truncate conversations cascade')
  } catch (error) {
    if ((error as { code?: string }).code !== deadlockCode) throw error
    await removeAllConversations({ pool })
  }
}
