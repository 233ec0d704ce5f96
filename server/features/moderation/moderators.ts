import { type Kysely, sql, type Transaction } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { StartupError } from '../../startup-error.ts'
import type { TransactionalStore } from '../../store/store.ts'
import { endSuspension } from '../admin/member-acts.ts'
import { type ActingOperator, recordOperatorAct } from '../admin/operator-acts.ts'
import { endModeratorRole } from './end-moderator-and-operator-roles.ts'
import { recordModerationAct } from './moderation-log.ts'

/**
 * @param operator the operator's name in the log
 * @throws StartupError for an unknown username
 */
export async function addModerator(
  db: Kysely<DatabaseTables>,
  username: string,
  operator: string,
): Promise<void> {
  const member = await findMemberKey(db, username)
  await db.transaction().execute((db) => appointModerator(db, member, { systemUser: operator }))
}

export async function appointModerator(
  db: Transaction<DatabaseTables>,
  member: number,
  by: ActingOperator,
): Promise<void> {
  const operator = 'systemUser' in by ? by.systemUser : 'operator'
  await sql`
    insert into moderators (member_id, added_by) values (${member}, ${operator}) on conflict do nothing`.execute(
    db,
  )
  await recordModerationAct(db, 'moderator.add', { by: null, detail: { operator, member } })
  await recordOperatorAct(db, 'moderator.add', { by, about: member })
}

/** @throws StartupError for an unknown username */
export async function removeModerator(
  db: Kysely<DatabaseTables>,
  username: string,
  operator: string,
): Promise<boolean> {
  const member = await findMemberKey(db, username)
  return db.transaction().execute((db) => dismissModerator(db, member, { systemUser: operator }))
}

export async function dismissModerator(
  db: Transaction<DatabaseTables>,
  member: number,
  by: ActingOperator,
): Promise<boolean> {
  if (!(await endModeratorRole(db, member))) return false
  const operator = 'systemUser' in by ? by.systemUser : 'operator'
  await recordModerationAct(db, 'moderator.remove', { by: null, detail: { operator, member } })
  await recordOperatorAct(db, 'moderator.remove', { by, about: member })
  return true
}

/**
 * The only person who could lift the suspension may be suspended.
 * @throws StartupError for an unknown username, a member without a role, or an account that is not suspended
 */
export async function restoreModerator(
  store: TransactionalStore,
  username: string,
  operator: string,
): Promise<void> {
  await store.transact(async (tx) => {
    const { rows } = await sql<{ id: number; account_id: number; has_role: boolean }>`
    select u.id, u.account_id, a.labels @> array['operator'] or exists (
      select from moderators m where m.member_id = u.id) as has_role
    from users u join accounts a on a.id = u.account_id
    where u.username_key = lower(${username.replace(/^@/, '')}) or a.email = lower(${username})`.execute(
      tx.db,
    )
    const [member] = rows
    if (!member?.has_role) throw new StartupError(`No moderator or operator is called ${username}.`)
    if (!(await endSuspension(tx, member, { systemUser: operator })))
      throw new StartupError(`The account of ${username} is not suspended.`)
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
