import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../../database/schema.ts'
import type { EmailSender } from '../../email/email-sender.ts'
import { toFailure } from '../../errors.ts'
import { StartupError } from '../../startup-error.ts'
import type { TransactionalStore } from '../../store/store.ts'
import { getCommandOperator } from '../admin/operator-acts.ts'
import { type ApplicationDecision, decideApplication } from './applications.ts'

export type WaitingApplication = {
  username: string
  name: string
  answer: string
  created_at: Date
  voucher_named: string | null
  vouched: boolean | null
  email_confirmed: boolean
}

export async function listWaitingApplications(db: Kysely<DatabaseTables>): Promise<WaitingApplication[]> {
  const { rows } = await sql<WaitingApplication>`
    select username, name, answer, created_at, voucher_named, vouched, email_confirmed_at is not null as email_confirmed
    from applications
    where state = 'waiting' order by created_at, public_id`.execute(db)
  return rows
}

/**
 * @returns the member's username, if it had to change
 * @throws StartupError if no applicant has this username, or a member already has the address
 */
export async function decideApplicationOf(
  context: { db: Kysely<DatabaseTables>; store: TransactionalStore; emails: EmailSender; publicUrl: string },
  username: string,
  decision: Omit<ApplicationDecision, 'by'>,
): Promise<string> {
  const { rows } = await sql<{ public_id: string }>`
    select public_id from applications
    where state = 'waiting' and username_key = lower(${username.replace(/^@/, '')})`.execute(context.db)
  const [found] = rows
  if (!found) throw new StartupError(`Nobody called ${username} waits for a decision.`)
  try {
    const decided = await context.store.transact((tx) =>
      decideApplication(tx, context, found.public_id, { ...decision, by: getCommandOperator() }),
    )
    return decided.username
  } catch (error) {
    const failure = toFailure(error)
    throw failure ? new StartupError(`${username}: ${failure.message}`) : error
  }
}
