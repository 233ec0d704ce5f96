import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/**
 * Call this after a new password or a regained account, because an intruder may have kept the invitation
 * codes.
 */
export async function endOpenInvitations(db: Kysely<DatabaseTables>, accountId: number): Promise<void> {
  await sql`
    update invitations i set ended_at = clock_timestamp()
    from users u where u.id = i.inviter_id and u.account_id = ${accountId}
      and i.used_at is null and i.ended_at is null and i.expires_at > clock_timestamp()`.execute(db)
}
