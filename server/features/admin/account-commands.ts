import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { recordAccountEventWithoutRequest } from '../../auth/account-audit-log.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { lockAccountRow } from '../../auth/lock-account-row.ts'
import { revokeSessions } from '../../auth/session.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import type { EmailSender } from '../../email/email-sender.ts'
import { renderDatedLinkEmail } from '../../email/message-templates.ts'
import { generateId } from '../../ids.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { StartupError } from '../../startup-error.ts'
import type { TransactionalStore } from '../../store/store.ts'
import { closeAccountAndAppointSuccessors } from '../account/close-account.ts'
import { suspendForOperator } from '../moderation/decide-case.ts'
import { endSuspension } from './member-acts.ts'
import { getCommandOperator, recordOperatorAct } from './operator-acts.ts'

/** @returns one line per account, oldest first, without addresses */
export async function listAccounts(db: Kysely<DatabaseTables>): Promise<string[]> {
  const { rows } = await sql<{ username: string; name: string; joined: string; notes: string[] }>`
    select u.username, u.name, to_char(u.created_at at time zone 'UTC', 'YYYY-MM-DD') as joined,
      array_remove(array[
        case when a.labels @> array['operator'] then 'operator' end,
        case when exists (select from moderators m where m.member_id = u.id) then 'moderator' end,
        case when exists (select from suspensions s where s.account_id = a.id and s.lifted_at is null
            and coalesce(s.ends_at, 'infinity') > clock_timestamp()) then 'suspended'
          when exists (select from deletions d where d.account_id = a.id and d.state <> 'done') then 'waits for deletion'
          when not ${hasOpenAccount(sql.ref('u.id'))} then 'closed' end], null) as notes
    from users u join accounts a on a.id = u.account_id where a.erased_at is null order by u.created_at, u.id`.execute(
    db,
  )
  return rows.map(({ username, name, joined, notes }) => [`@${username}`, name, joined, ...notes].join('  '))
}

type Holder = { id: number; account_id: number; publicId: string; email: string | null }

async function findHolder(db: Kysely<DatabaseTables>, username: string): Promise<Holder> {
  const { rows } = await sql<Holder>`
    select u.id, u.account_id, u.public_id as "publicId", a.email from users u join accounts a on a.id = u.account_id
    where u.username_key = lower(${username.replace(/^@/, '')}) and a.erased_at is null`.execute(db)
  const [found] = rows
  if (!found) throw new StartupError(`Nobody is called ${username}.`)
  return found
}

const lengths: Record<string, number | null> = { 1: 1, 3: 3, 7: 7, 30: 30, forever: null }

/**
 * Also suspends moderators and operators: a person who can run commands already controls the machine.
 * @param length `1`, `3`, `7` or `30` days, or `forever`
 * @param reason the text that the member reads
 * @throws StartupError for an unknown username or length, an invalid reason, or a suspended account
 */
export async function suspendAccount(
  store: TransactionalStore,
  username: string,
  length: string,
  reason: string,
): Promise<void> {
  const days = lengths[length]
  if (days === undefined) throw new StartupError('Give the days: 1, 3, 7, 30 or forever.')
  const text = reason.trim()
  if (text === '' || text.length > 500) throw new StartupError('Give a reason of at most 500 characters.')
  await store.transact(async (tx) => {
    const member = await findHolder(tx.db, username)
    const { rows } = await sql`
      select from suspensions where account_id = ${member.account_id} and lifted_at is null
        and coalesce(ends_at, 'infinity') > clock_timestamp()`.execute(tx.db)
    if (rows.length > 0) throw new StartupError(`The account of ${username} is already suspended.`)
    await suspendForOperator(tx, member, { by: null, text, days })
    const by = getCommandOperator()
    await recordOperatorAct(tx.db, 'member.suspend', { by, about: member.id, detail: { text, days } })
  })
}

/** @throws StartupError for an unknown username or an account that is not suspended */
export async function reopenAccountOf(store: TransactionalStore, username: string): Promise<void> {
  const lifted = await store.transact(async (tx) =>
    endSuspension(tx, await findHolder(tx.db, username), getCommandOperator()),
  )
  if (!lifted) throw new StartupError(`The account of ${username} is not suspended.`)
}

type DeletionContext = {
  store: TransactionalStore
  emails: EmailSender
  publicUrl: string
  graceDays: number
}

/** @throws StartupError for an unknown username or an account that already waits for deletion */
export async function deleteAccountOf(
  { store, emails, publicUrl, graceDays }: DeletionContext,
  username: string,
): Promise<{ eraseAfter: Date }> {
  const secret = randomBytes(32).toString('hex')
  const { email, ...asked } = await store.transact(async (tx) => {
    const { id, account_id, email } = await findHolder(tx.db, username)
    const close = async () => {
      // Waits for a suspension that is just ending. Until the deletion is cancelled, the suspension does not
      // reopen the account.
      await tx.db
        .updateTable('suspensions')
        .set({ reopens: false })
        .where('account_id', '=', account_id)
        .where('lifted_at', 'is', null)
        .execute()
      await lockAccountRow(tx.db, account_id)
      await tx.db.updateTable('accounts').set({ status: 'blocked' }).where('id', '=', account_id).execute()
      await revokeSessions(tx.db, account_id)
    }
    await closeAccountAndAppointSuccessors(tx, id, close)
    await recordAccountEventWithoutRequest(tx.db, account_id, 'deletion.create')
    await recordOperatorAct(tx.db, 'member.delete', { by: getCommandOperator(), about: id })
    const row = await tx.db
      .insertInto('deletions')
      .values({
        public_id: generateId(),
        account_id,
        erase_after: sql<Date>`clock_timestamp() + ${`${graceDays} days`}::interval`,
        cancel_hash: hashSecretSha256(secret),
      })
      .onConflict((conflict) => conflict.column('account_id').doNothing())
      .returning(['public_id', 'erase_after'])
      .executeTakeFirst()
    if (!row) throw new StartupError(`The account of ${username} is already waiting for deletion.`)
    return { ...row, email }
  })
  if (email !== null) {
    const link = `${publicUrl}/sign-in/keep?userId=${asked.public_id}&secret=${secret}`
    emails.send(email, renderDatedLinkEmail('deletion-asked', link, asked.erase_after))
  }
  return { eraseAfter: asked.erase_after }
}
