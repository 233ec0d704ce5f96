/** What an operator does for a member who cannot sign in, from the command line: `npm run account` (scripts/account.ts). */
import { type Kysely, sql } from 'kysely'
import type { AccountEvent } from '../auth/account-audit-log.ts'
import { issueOneTimeLink } from '../auth/one-time-tokens.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { generateId } from '../ids.ts'
import type { MailSender } from '../messaging/mail.ts'
import { renderLinkEmail } from '../messaging/message-templates.ts'
import { StartupError } from '../startup-error.ts'
import { appendUrlQuery } from './email-link-urls.ts'

export type OperatorContext = { db: Kysely<DatabaseTables>; mail: MailSender; publicUrl: string }

type Holder = { id: number; email: string }

/**
 * Makes the link by which a member chooses a password, for the operator to hand over. The member is told by a letter and in the
 * account's log.
 * @returns the link, which works once within an hour
 * @throws StartupError for a username nobody has, and for an account without an address or that is closed
 */
export async function issueRecoveryLink(
  { db, mail, publicUrl }: OperatorContext,
  username: string,
): Promise<string> {
  const { id, email } = await findHolder(db, username)
  const shownUserId = generateId()
  const secret = await db.transaction().execute(async (db) => {
    await recordOperatorEvent(db, id, 'recovery.operator')
    return (await issueOneTimeLink(db, 'recovery', { accountId: id, sentTo: email, shownUserId })).secret
  })
  mail.send(email, renderLinkEmail('operator-recovery', `${publicUrl}/settings/security`))
  return appendUrlQuery(`${publicUrl}/recovery/new`, { userId: shownUserId, secret })
}

async function findHolder(db: Kysely<DatabaseTables>, username: string): Promise<Holder> {
  const { rows } = await sql<{ id: number; email: string | null; status: string }>`
    select a.id, a.email, a.status from users u join accounts a on a.id = u.account_id
    where u.username_key = lower(${username.replace(/^@/, '')})`.execute(db)
  const [found] = rows
  if (!found) throw new StartupError(`Nobody is called ${username}.`)
  if (found.status !== 'active') throw new StartupError(`The account of ${username} is closed.`)
  if (found.email === null) throw new StartupError(`The account of ${username} has no e-mail address.`)
  return { id: found.id, email: found.email }
}

/** Records what the operator did; there is no browser to tell of. */
const recordOperatorEvent = (db: Kysely<DatabaseTables>, accountId: number, event: AccountEvent) =>
  sql`insert into account_events (account_id, event) values (${accountId}, ${event})`.execute(db)

/**
 * Lets the instance seal with the key that it has now, after the one before was lost: codes of apps that were set up with it are
 * wrong from then on, recovery codes are not.
 * @returns how many accounts that concerns
 */
export async function acceptNewInstanceKey({ db }: Pick<OperatorContext, 'db'>): Promise<number> {
  await sql`update instance set key_fingerprint = null`.execute(db)
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from totp_secrets`.execute(db)
  return rows[0]?.count ?? 0
}
