import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** Serialises changes of an account's state with the start and end of its sessions. */
export async function lockAccountRow(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(db)
}

/**
 * Locks the accounts of these members, so that none can be closed or suspended before the commit. If an account
 * closes afterwards, the choice of its successors takes this transaction's changes into account.
 * @returns the members whose account is open
 */
export async function holdAccountsOf(
  db: Kysely<DatabaseTables>,
  members: readonly number[],
): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number; status: string }>`
    select u.id, a.status from users u join accounts a on a.id = u.account_id
    where u.id = any(${members}::bigint[]) order by a.id for share of a`.execute(db)
  return new Set(rows.flatMap(({ id, status }) => (status === 'active' ? [id] : [])))
}
