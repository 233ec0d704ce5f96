/** Ends an account's invitations when somebody else may have used the account. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Ends an account's open invitations when its password changes or its owner regains it. An intruder may have
 * created invitations and kept their codes, and new members would count as invited by the owner.
 */
export async function endOpenInvitations(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`
    update invitations i set ended_at = clock_timestamp()
    from users u where u.id = i.inviter_id and u.account_id = ${accountId}
      and i.used_at is null and i.ended_at is null and i.expires_at > clock_timestamp()`.execute(db)
}
