import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { StartupError } from '../../startup-error.ts'
import { getCommandOperator, recordOperatorAct } from '../admin/operator-acts.ts'

export async function promoteToOperator(db: Kysely<DatabaseTables>, username: string): Promise<void> {
  await db.transaction().execute(async (db) => {
    const { rows } = await sql<{ id: number }>`
      update accounts a set labels = array_append(array_remove(a.labels, 'operator'), 'operator')
      from users u where u.account_id = a.id and u.username_key = lower(${username.replace(/^@/, '')})
      returning u.id`.execute(db)
    const [member] = rows
    if (!member) throw new StartupError(`Nobody is called ${username}.`)
    await recordOperatorAct(db, 'operator.add', { by: getCommandOperator(), about: member.id })
  })
}
