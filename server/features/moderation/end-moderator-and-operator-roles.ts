import { sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { recordModerationAct } from './moderation-log.ts'

/** The roles were given to the account's previous owner. */
export async function endModeratorAndOperatorRoles(
  db: Transaction<DatabaseTables>,
  accountId: number,
): Promise<void> {
  const { rows: members } = await sql<{ id: number }>`
    select u.id from users u where u.account_id = ${accountId}`.execute(db)
  for (const { id: member } of members) {
    if (await endModeratorRole(db, member))
      await recordModerationAct(db, 'moderator.remove', { by: null, detail: { member } })
  }
  const { rows: operators } = await sql`
    update accounts set labels = array_remove(labels, 'operator')
    where id = ${accountId} and labels @> array['operator'] returning id`.execute(db)
  if (operators.length > 0)
    await recordModerationAct(db, 'operator.remove', { by: null, detail: { member: members[0]?.id ?? null } })
}

/** Ends the role and releases the member's claimed cases. */
export async function endModeratorRole(db: Transaction<DatabaseTables>, member: number): Promise<boolean> {
  const { rows } = await sql`delete from moderators where member_id = ${member} returning member_id`.execute(
    db,
  )
  await sql`
    update moderation_cases set claimed_by = null, claimed_at = null
    where claimed_by = ${member} and status = 'open'`.execute(db)
  return rows.length > 0
}
