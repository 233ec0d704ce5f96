/**
 * The owner is emailed immediately and can cancel for three days.
 * Deceiving the operator is therefore not enough to bypass the second factor (decision 0187).
 */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { AppContext } from '../../app-context.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { revokeTrustOfAllBrowsers } from '../../auth/known-browsers.ts'
import { lockAccountRow } from '../../auth/lock-account-row.ts'
import { whereTwoFactorIsOn } from '../../auth/second-factors.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { renderLinkEmail } from '../../email/message-templates.ts'
import { getConfiguredPublicUrl } from '../../net/public-url.ts'
import { endTwoFactor } from './end-two-factor.ts'

const waitingTime = '72 hours'

/** `secret` cancels the removal. It is not stored. */
export type ScheduledTwoFactorRemoval = { dueAt: Date; secret: string }

/**
 * An existing request stays unchanged, because the link in its email must keep cancelling it.
 * @returns null if two-factor authentication is off, or a request already exists
 */
export async function insertTwoFactorRemovalRequest(
  db: Kysely<DatabaseTables>,
  accountId: number,
): Promise<ScheduledTwoFactorRemoval | null> {
  const secret = randomBytes(32).toString('hex')
  const { rows } = await sql<{ due_at: Date }>`
    insert into unlock_requests as r (account_id, due_at, cancel_hash)
    select a.id, clock_timestamp() + ${waitingTime}::interval, ${hashSecretSha256(secret)}
    from accounts a where a.id = ${accountId} and ${whereTwoFactorIsOn('a')}
    on conflict do nothing returning due_at`.execute(db)
  return rows[0] ? { dueAt: rows[0].due_at, secret } : null
}

/** @returns the account's key; null if no request exists */
export async function cancelTwoFactorRemoval(
  db: Kysely<DatabaseTables>,
  secret: string,
): Promise<number | null> {
  const { rows } = await sql<{ account_id: number }>`
    delete from unlock_requests where cancel_hash = ${hashSecretSha256(secret)} returning account_id`.execute(
    db,
  )
  return rows[0]?.account_id ?? null
}

export async function cancelTwoFactorRemovalSince(
  db: Kysely<DatabaseTables>,
  accountId: number,
  since: Date,
): Promise<boolean> {
  const { rows } = await sql`
    delete from unlock_requests where account_id = ${accountId} and asked_at >= ${since} returning account_id`.execute(
    db,
  )
  return rows.length > 0
}

type DueContext = Pick<AppContext, 'database' | 'emails' | 'config'>

/** Ends two-factor authentication for each due request, in a transaction of its own. */
export async function carryOutDueTwoFactorRemovals({ database, emails, config }: DueContext): Promise<void> {
  const link = `${getConfiguredPublicUrl(config)}/`
  for (
    let next = await carryOutNext(database.kysely);
    next !== null;
    next = await carryOutNext(database.kysely)
  ) {
    if (next.email !== null) emails.send(next.email, renderLinkEmail('two-steps-off', link))
  }
}

/**
 * Carries out the oldest due request. An authenticator that was set up after the request was not lost, so it
 * stays.
 * @returns the person to notify, if anything ended; null if nothing is due
 */
const carryOutNext = (db: Kysely<DatabaseTables>): Promise<{ email: string | null } | null> =>
  db.transaction().execute(async (db) => {
    const { rows } = await sql<{ account_id: number; email: string | null; lost: boolean }>`
      with due as (
        delete from unlock_requests where account_id = (
          select account_id from unlock_requests where due_at <= clock_timestamp() and email_id is null
          order by due_at limit 1 for update skip locked)
        returning account_id, asked_at
      )
      select due.account_id, a.email, exists (
        select from totp_secrets t where t.account_id = a.id and t.verified_at <= due.asked_at) as lost
      from due join accounts a on a.id = due.account_id`.execute(db)
    const [due] = rows
    if (!due) return null
    if (!due.lost) return { email: null }
    await lockAccountRow(db, due.account_id)
    await revokeTrustOfAllBrowsers(db, due.account_id)
    if (!(await endTwoFactor(db, null, due.account_id))) return { email: null }
    return { email: due.email }
  })
