/** These commands of `npm run account` help a member who cannot sign in. */
import { type Kysely, sql } from 'kysely'
import { recordAccountEventWithoutRequest } from '../../auth/account-audit-log.ts'
import { issueOneTimeLink } from '../../auth/one-time-tokens.ts'
import { removePasskeysOfOtherHosts } from '../../auth/passkey-host.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import type { EmailSender } from '../../email/email-sender.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { generateId } from '../../ids.ts'
import { StartupError } from '../../startup-error.ts'
import { type ActingOperator, getCommandOperator, recordOperatorAct } from '../admin/operator-acts.ts'
import { appendUrlQuery } from './email-link-urls.ts'
import { insertTwoFactorRemovalRequest } from './two-factor-removal-requests.ts'

export type OperatorContext = { db: Kysely<DatabaseTables>; emails: EmailSender; publicUrl: string }

type Holder = { id: number; member: number; email: string }

/**
 * No mailbox receives the link, so using it verifies no address.
 * @returns the link, which works once within an hour
 * @throws StartupError for an unknown username, a closed account, or an account without an address
 */
export async function issueRecoveryLink(
  { db, emails, publicUrl }: OperatorContext,
  username: string,
): Promise<string> {
  return issueRecoveryLinkFor({ db, emails, publicUrl }, await findHolder(db, username), getCommandOperator())
}

/** The account must be open and have an address. */
export async function issueRecoveryLinkFor(
  { db, emails, publicUrl }: OperatorContext,
  { id, member, email }: Holder,
  by: ActingOperator,
): Promise<string> {
  const shownUserId = generateId()
  const secret = await db.transaction().execute(async (db) => {
    await recordAccountEventWithoutRequest(db, id, 'recovery.operator')
    await recordOperatorAct(db, 'member.recover', { by, about: member })
    return (await issueOneTimeLink(db, 'recovery', { accountId: id, sentTo: null, shownUserId })).secret
  })
  emails.send(email, renderLinkEmail('operator-recovery', `${publicUrl}/settings/security`))
  return appendUrlQuery(`${publicUrl}/recovery/new`, { userId: shownUserId, secret })
}

async function findHolder(
  db: Kysely<DatabaseTables>,
  username: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<Holder> {
  const { rows } = await sql<{ id: number; member: number; email: string | null; status: string }>`
    select a.id, u.id as member, a.email, a.status from users u join accounts a on a.id = u.account_id
    where u.username_key = lower(${username.replace(/^@/, '')}) ${lock ? sql`for no key update of a` : sql``}`.execute(
    db,
  )
  const [found] = rows
  if (!found) throw new StartupError(`Nobody is called ${username}.`)
  if (found.status !== 'active') throw new StartupError(`The account of ${username} is closed.`)
  if (found.email === null) throw new StartupError(`The account of ${username} has no email address.`)
  return { id: found.id, member: found.member, email: found.email }
}

/**
 * Emails the member a link that cancels the removal.
 * @returns when two-factor authentication ends; if the email is still queued, the three days begin with its
 * delivery
 * @throws StartupError as `issueRecoveryLink`; also if two-factor authentication is off, its removal is
 * already scheduled, or emails cannot be sent
 */
export async function requestTwoFactorRemoval(
  { db, emails, publicUrl }: OperatorContext,
  username: string,
): Promise<{ dueAt: Date; waits: boolean }> {
  await findHolder(db, username)
  try {
    emails.assertAvailable()
  } catch {
    throw new StartupError(
      'Emails cannot be sent: set SMTP_URL. The member has to be notified and be able to stop it.',
    )
  }
  const { dueAt, emailId, id } = await db.transaction().execute(async (db) => {
    // A concurrent undo of a change of address either cancels this request, or happens first.
    const { id, member, email } = await findHolder(db, username, { lock: true })
    const asked = await insertTwoFactorRemovalRequest(db, id)
    if (!asked)
      throw new StartupError(
        `Two-factor authentication of ${username} is off, or its end is already scheduled.`,
      )
    await recordAccountEventWithoutRequest(db, id, 'mfa.unlock')
    await recordOperatorAct(db, 'member.unlock', { by: getCommandOperator(), about: member })
    const { dueAt, secret } = asked
    const link = appendUrlQuery(`${publicUrl}/sign-in/keep-two-steps`, { userId: generateId(), secret })
    const emailId = await emails.sendWithin(db, email, renderLinkEmail('unlock-asked', link))
    if (emailId !== null)
      await sql`update unlock_requests set email_id = ${emailId} where account_id = ${id}`.execute(db)
    return { dueAt, emailId, id }
  })
  if (emailId === null) return { dueAt, waits: false }
  await emails.attempt()
  const { rows } = await sql<{ due_at: Date }>`
    select due_at from unlock_requests where account_id = ${id} and email_id is null`.execute(db)
  return { dueAt: rows[0]?.due_at ?? dueAt, waits: rows.length === 0 }
}

export type SealedWithInstanceKey = { apps: number; invitations: number; browsers: number; emails: number }

/** Counts the secrets that stop working if the instance changes its key. */
export async function countSealedWithInstanceKey({
  db,
}: Pick<OperatorContext, 'db'>): Promise<SealedWithInstanceKey> {
  const { rows } = await sql<SealedWithInstanceKey>`
    select (select count(*)::int from totp_secrets) as apps, (select count(*)::int from invitations) as invitations,
      (select count(*)::int from push_subscriptions) as browsers,
      (select count(*)::int from emails where failed_at is null) as emails`.execute(db)
  return rows[0] ?? { apps: 0, invitations: 0, browsers: 0, emails: 0 }
}

/** Codes of existing authenticator apps become invalid; recovery codes stay valid. */
export async function acceptNewInstanceKey({ db }: Pick<OperatorContext, 'db'>): Promise<void> {
  await db.transaction().execute(async (db) => {
    await sql`update instance set key_fingerprint = null`.execute(db)
    await recordOperatorAct(db, 'instance.new-key', { by: getCommandOperator() })
  })
}

export const acceptNewPasskeyHost = ({ db, publicUrl }: Omit<OperatorContext, 'emails'>): Promise<number> =>
  db.transaction().execute(async (db) => {
    await recordOperatorAct(db, 'instance.new-host', { by: getCommandOperator() })
    return removePasskeysOfOtherHosts({ publicUrl }, db)
  })
