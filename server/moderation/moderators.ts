/** Makes and unmakes moderators, from the command line alone: `npm run moderators` (scripts/operator/moderators.ts). */
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { hasOpenAccount } from '../policy.ts'
import { StartupError } from '../startup-error.ts'
import { recordModerationAct } from './moderation-log.ts'

/** @param operator who runs the command, for the log @throws StartupError for a username nobody has */
export async function addModerator(
  db: Kysely<DatabaseTables>,
  username: string,
  operator: string,
): Promise<void> {
  const member = await findMemberKey(db, username)
  await db.transaction().execute(async (db) => {
    await sql`insert into moderators (member_id, added_by) values (${member}, ${operator}) on conflict do nothing`.execute(
      db,
    )
    await recordModerationAct(db, 'moderator.add', { by: null, detail: { operator, member } })
  })
}

/**
 * Ends it at once: what the member claimed is free again.
 * @returns false where the member is no moderator
 * @throws StartupError for a username nobody has
 */
export async function removeModerator(
  db: Kysely<DatabaseTables>,
  username: string,
  operator: string,
): Promise<boolean> {
  const member = await findMemberKey(db, username)
  return db.transaction().execute(async (db) => {
    const { numAffectedRows } = await sql`delete from moderators where member_id = ${member}`.execute(db)
    if (numAffectedRows === 0n) return false
    await sql`
      update moderation_cases set claimed_by = null, claimed_at = null
      where claimed_by = ${member} and status = 'open'`.execute(db)
    await recordModerationAct(db, 'moderator.remove', { by: null, detail: { operator, member } })
    return true
  })
}

export async function listModerators(
  db: Kysely<DatabaseTables>,
): Promise<{ username: string; name: string }[]> {
  const { rows } = await sql<{ username: string; name: string }>`
    select u.username, u.name from moderators m join users u on u.id = m.member_id order by m.created_at`.execute(
    db,
  )
  return rows
}

async function findMemberKey(db: Kysely<DatabaseTables>, username: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select u.id from users u
    where u.username_key = lower(${username.replace(/^@/, '')}) and ${hasOpenAccount(sql.ref('u.id'))}`.execute(
    db,
  )
  return rows[0]?.id ?? failUnknown(username)
}

function failUnknown(username: string): never {
  throw new StartupError(`Nobody with an open account is called ${username}.`)
}
