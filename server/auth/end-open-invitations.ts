/** Ends invitations when the account that made them may have been in other hands. */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Ends the open invitations of an account whose password changes, or that is given back to its owner: whoever was in it before may
 * have made them and kept their codes, and whom they let in is said to be the owner's guest. Only the owner can make new ones.
 */
export async function endOpenInvitations(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`
    update invitations i set ended_at = clock_timestamp()
    from users u where u.id = i.inviter_id and u.account_id = ${accountId}
      and i.used_at is null and i.ended_at is null and i.expires_at > clock_timestamp()`.execute(db)
}
