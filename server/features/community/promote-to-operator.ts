/** Makes operators: `npm run account -- operator <username>` (scripts/account.ts). */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { StartupError } from '../../startup-error.ts'

/** @throws StartupError for an unknown username */
export async function promoteToOperator(db: Kysely<DatabaseTables>, username: string): Promise<void> {
  const { rows } = await sql`
    update accounts a set labels = array_append(array_remove(a.labels, 'operator'), 'operator')
    from users u where u.account_id = a.id and u.username_key = lower(${username.replace(/^@/, '')}) returning 1`.execute(
    db,
  )
  if (rows.length === 0) throw new StartupError(`Nobody is called ${username}.`)
}
