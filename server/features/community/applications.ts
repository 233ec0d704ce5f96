import { type Kysely, sql } from 'kysely'
import { maxOpenVouchRequests } from '#contract/limits.ts'
import { createAccount } from '../../auth/create-account.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { type ApplicationDecision, renderApplicationEmail } from '../../email/application-emails.ts'
import type { MailSender } from '../../email/mail.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import { findFreeUsername } from '../account/find-free-username.ts'
import { type ActingOperator, recordOperatorAct } from '../admin/operator-acts.ts'

export type NewApplication = {
  name: string
  username: string
  email: string
  passwordHash: string
  rulesSeen: number
  language: 'es' | 'en' | null
  answer: string
  /** The member whom the applicant named, as typed. */
  voucher: string | null
}

/** Another application may take the username at the same time, so the insert is repeated. */
const maxAttempts = 5

/** The limit keeps strangers without an account from sending a member any number of requests. */
const whereMemberIsAsked = sql<boolean>`(
  u.is_listed and ${hasOpenAccount(sql.ref('u.id'))} and ${maxOpenVouchRequests} > (
    select count(*) from applications o where o.voucher_id = u.id and o.state = 'waiting' and o.vouched is null))`

/**
 * The same statements run whether or not the address exists, so that the response time does not reveal it.
 * @returns what already had the address, or null if it was free
 */
export async function insertApplication(
  db: Kysely<DatabaseTables>,
  given: NewApplication,
): Promise<'account' | 'application' | null> {
  const named = given.voucher?.replace(/^@/, '') || null
  // Applicants who name the same member wait here, so that the limit holds.
  // The lock does not depend on whether the member exists.
  if (named) await sql`select pg_advisory_xact_lock(hashtext('vouch:' || lower(${named})))`.execute(db)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const username = await findFreeUsername(db, given.username, { amongApplicants: true })
    const { rows } = await sql<{ inserted: boolean; account: boolean; application: boolean }>`
      with inserted as (
        insert into applications (public_id, name, username, email, password_hash, rules_seen, language, answer,
          voucher_named, voucher_id)
        select ${generateId()}, ${given.name}, ${username}, ${given.email}, ${given.passwordHash}, ${given.rulesSeen},
          ${given.language}, ${given.answer}, ${named}, (
            select u.id from users u where u.username_key = lower(${named}) and ${whereMemberIsAsked})
        where not exists (select from accounts a where a.email = ${given.email})
        on conflict do nothing returning 1
      )
      select exists (select from inserted) as inserted,
        exists (select from accounts a where a.email = ${given.email}) as account,
        exists (select from applications p where p.email = ${given.email} and p.state = 'waiting') as application`.execute(
      db,
    )
    const [{ inserted, account, application } = {}] = rows
    if (inserted) return null
    if (account) return 'account'
    if (application) return 'application'
  }
  return throwFailure('general_service_unavailable', { retryAfter: 1 })
}

export type ApplicantRow = { id: number; state: 'waiting' | 'declined'; password_hash: string }

/** Omits an approved application. */
export async function findApplicant(
  db: Kysely<DatabaseTables>,
  email: string,
): Promise<ApplicantRow | undefined> {
  const { rows } = await sql<ApplicantRow>`
    select id, state, password_hash from applications
    where email = ${email} and state <> 'approved' order by id desc limit 1`.execute(db)
  return rows[0]
}

/** @returns false if the application was approved meanwhile */
export async function eraseApplication(
  db: Kysely<DatabaseTables>,
  { id }: Pick<ApplicantRow, 'id'>,
): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`
    delete from applications where id = ${id} and state <> 'approved'`.execute(db)
  return numAffectedRows > 0n
}

type ApplicationRow = {
  id: number
  state: string
  name: string
  username: string
  email: string
  password_hash: string
  rules_seen: number
  language: 'es' | 'en' | null
}

export type Decision = {
  decision: ApplicationDecision
  /** The email contains this sentence. */
  sentence?: string | undefined
  by: ActingOperator
}

/**
 * @throws Failure `application_not_found`, `application_decided`; `user_already_exists` if the address was
 * taken meanwhile
 */
export async function decideApplication(
  tx: StoreTransaction,
  { mail, publicUrl }: { mail: MailSender; publicUrl: string },
  publicId: string,
  { decision, sentence = '', by }: Decision,
): Promise<{ username: string }> {
  const { db } = tx
  // The second of two concurrent decisions waits here.
  const { rows } = await sql<ApplicationRow>`
    select id, state, name, username, email, password_hash, rules_seen, language from applications
    where public_id = ${publicId} for update`.execute(db)
  const [application] = rows
  if (!application) return throwFailure('application_not_found')
  const { id, state, name, username, email, password_hash, rules_seen, language } = application
  if (state !== 'waiting') return throwFailure('application_decided')
  await sql`
    update applications set state = ${decision}, decided_at = clock_timestamp(), decided_by = ${'member' in by ? by.member : null},
      password_hash = case when ${decision === 'declined'} then password_hash end
    where id = ${id}`.execute(db)
  const made = decision === 'approved' ? await createMember() : null
  const act = decision === 'approved' ? 'application.approve' : 'application.decline'
  await recordOperatorAct(db, act, { by, about: made?.id ?? null })
  if (mail.isAvailable())
    await mail.sendWithin(db, email, renderApplicationEmail(decision, publicUrl, { language, sentence }))
  return { username: made?.username ?? username }

  async function createMember(): Promise<{ id: number; username: string }> {
    const account = await createAccount(db, null, {
      publicId: generateId(),
      name,
      email,
      passwordHash: password_hash,
      rulesSeen: rules_seen,
    })
    await sql`update applications set account_id = ${account.id} where id = ${id}`.execute(db)
    // Somebody may have taken the username while the application waited.
    const free = await findFreeUsername(db, username)
    return tx.insert(systemActor, 'users', {
      account_id: account.id,
      name,
      username: free,
      welcome_due: true,
    })
  }
}
