import { type Kysely, type RawBuilder, sql } from 'kysely'
import { maxOpenVouchRequests } from '#contract/limits.ts'
import { createAccount } from '../../auth/create-account.ts'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import { consumeOneTimeLink } from '../../auth/one-time-tokens.ts'
import type { DatabaseTables } from '../../database/schema.ts'
import { type ApplicationOutcome, renderApplicationEmail } from '../../email/application-emails.ts'
import type { EmailSender } from '../../email/email-sender.ts'
import { throwFailure } from '../../errors.ts'
import { generateId } from '../../ids.ts'
import { hasOpenAccount } from '../../policy/index.ts'
import { systemActor } from '../../store/actor.ts'
import type { StoreTransaction } from '../../store/store-transaction.ts'
import type { EmailLinkParameters } from '../account/email-link-urls.ts'
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
  /** The username of the member whom the applicant named, as typed. */
  voucher: string | null
}

/** Another application may take the username at the same time, so the insert is repeated. */
const maxAttempts = 5

/** The limit keeps strangers without an account from sending a member many requests. */
const whereMemberIsAsked = sql<boolean>`(
  u.is_listed and u.takes_vouch_requests and ${hasOpenAccount(sql.ref('u.id'))} and ${maxOpenVouchRequests} > (
    select count(*) from applications o where o.voucher_id = u.id and o.state = 'waiting' and o.vouched is null))`

/**
 * The same statements run whether or not the address exists, so that the response time does not reveal it.
 * @param toConfirm nobody else sees it before `confirmApplication`. Any number of unconfirmed applications can have the
 * same address, so that nobody can replace or block another person's
 * @returns what already had the address, or null if the application was stored
 */
export async function insertApplication(
  db: Kysely<DatabaseTables>,
  given: NewApplication,
  { toConfirm = false } = {},
): Promise<{ publicId: string; taken: 'account' | 'application' | null }> {
  const named = toNamedUsername(given.voucher)
  const state = toConfirm ? 'unconfirmed' : 'waiting'
  if (!toConfirm) await lockVouchRequests(db, sql`${named}`)
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const publicId = generateId()
    const username = await findFreeUsername(db, given.username, { amongApplicants: true })
    const { rows } = await sql<{ inserted: boolean; account: boolean; application: boolean }>`
      with inserted as (
        insert into applications (public_id, state, name, username, email, password_hash, rules_seen, language, answer,
          voucher_named, voucher_id)
        select ${publicId}, ${state}, ${given.name}, ${username}, ${given.email}, ${given.passwordHash}, ${given.rulesSeen},
          ${given.language}, ${given.answer}, ${named},
          case when ${!toConfirm} then (${selectMemberToAsk(sql`${named}`)}) end
        where not exists (select from accounts a where a.email = ${given.email})
          and not exists (
            select from applications p
            where p.email = ${given.email} and p.state = 'waiting' and (${!toConfirm} or p.email_confirmed_at is not null))
        on conflict do nothing returning 1
      )
      select exists (select from inserted) as inserted,
        exists (select from accounts a where a.email = ${given.email}) as account,
        exists (select from applications p where p.email = ${given.email} and p.state = 'waiting') as application`.execute(
      db,
    )
    const [{ inserted, account, application } = {}] = rows
    if (inserted) return { publicId, taken: null }
    if (account) return { publicId, taken: 'account' }
    if (application) return { publicId, taken: 'application' }
  }
  return throwFailure('general_service_unavailable', { retryAfter: 1 })
}

const toNamedUsername = (voucher: string | null): string | null => voucher?.replace(/^@/, '') || null

const selectMemberToAsk = (username: RawBuilder<unknown>) =>
  sql<number>`select u.id from users u where u.username_key = lower((${username})::text) and ${whereMemberIsAsked}`

/**
 * Applicants who name the same member wait here, so that the limit and the member's setting hold.
 * The lock does not depend on whether the member exists.
 */
const lockVouchRequests = (db: Kysely<DatabaseTables>, username: RawBuilder<unknown>) =>
  sql`select pg_advisory_xact_lock(hashtext('vouch:' || lower((${username})::text)))`.execute(db)

export type UnconfirmedApplication = { id: number; password_hash: string }

const fromUnconfirmedApplication = ({ userId, secret }: EmailLinkParameters) => sql`
  from tokens t join applications p on p.public_id = t.asked_as and p.email = t.sent_to
  where t.secret_hash = ${hashSecretSha256(secret)} and t.kind = 'application' and t.asked_as = ${userId}
    and t.used_at is null and t.expires_at > clock_timestamp() and p.state = 'unconfirmed'`

/**
 * Concurrent uses of links wait here, so that an address or username belongs to at most one waiting
 * application.
 */
const lockConfirmations = (db: Kysely<DatabaseTables>) =>
  sql`select pg_advisory_xact_lock(hashtext('application confirmations'))`.execute(db)

export async function findUnconfirmedApplication(
  db: Kysely<DatabaseTables>,
  proof: EmailLinkParameters,
): Promise<UnconfirmedApplication | undefined> {
  const { rows } = await sql<UnconfirmedApplication>`
    select p.id, p.password_hash ${fromUnconfirmedApplication(proof)}`.execute(db)
  return rows[0]
}

/**
 * The application joins the queue, and replaces all others with this address that were not confirmed. Call it only after
 * the password was verified.
 * @throws Failure 401 `user_invalid_token`, also if an account or a confirmed application has the address
 */
export async function confirmApplication(
  db: Kysely<DatabaseTables>,
  proof: EmailLinkParameters,
): Promise<void> {
  await lockConfirmations(db)
  const { rows } = await sql<{ id: number; email: string; username: string; voucher_named: string | null }>`
    select p.id, p.email, p.username, p.voucher_named ${fromUnconfirmedApplication(proof)}
      and not exists (select from accounts a where a.email = p.email)
      and not exists (
        select from applications o where o.email = p.email and o.state = 'waiting' and o.email_confirmed_at is not null)
    for update of p`.execute(db)
  const [application] = rows
  if (!application) return throwFailure('user_invalid_token')
  await consumeOneTimeLink(db, ['application'], proof.userId, proof.secret)
  const { id, email, voucher_named } = application
  await lockVouchRequests(db, sql`${voucher_named}`)
  await eraseApplications(
    db,
    sql`p.email = ${email} and p.id <> ${id} and p.email_confirmed_at is null and p.state in ('unconfirmed', 'waiting')`,
  )
  const username = await findFreeUsername(db, application.username, { amongApplicants: true })
  await sql`
    update applications set state = 'waiting', username = ${username}, created_at = clock_timestamp(),
      email_confirmed_at = clock_timestamp(), voucher_id = (${selectMemberToAsk(sql`${voucher_named}`)})
    where id = ${id}`.execute(db)
}

/** Operators then see the applications as if nobody had been asked. */
export async function endVouchRequests(db: Kysely<DatabaseTables>, memberId: number): Promise<void> {
  await lockVouchRequests(db, sql`select u.username from users u where u.id = ${memberId}`)
  await sql`
    update applications set voucher_id = null
    where voucher_id = ${memberId} and state = 'waiting' and vouched is null`.execute(db)
}

/** Erases the applications `p` that match, and their links. */
async function eraseApplications(db: Kysely<DatabaseTables>, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ erased: number }>`
    with erased as (delete from applications p where ${which} returning p.public_id),
    links as (delete from tokens t where t.kind = 'application' and t.asked_as in (select public_id from erased))
    select count(*)::int as erased from erased`.execute(db)
  return rows[0]?.erased ?? 0
}

/** @throws Failure 401 `user_invalid_token` */
export async function removeUnconfirmedApplication(
  db: Kysely<DatabaseTables>,
  proof: EmailLinkParameters,
): Promise<void> {
  await lockConfirmations(db)
  const application = await findUnconfirmedApplication(db, proof)
  if (
    !application ||
    (await eraseApplications(db, sql`p.id = ${application.id} and p.state = 'unconfirmed'`)) === 0
  )
    throwFailure('user_invalid_token')
}

export type ApplicantRow = { id: number; state: 'waiting' | 'declined'; password_hash: string }

/**
 * Finds the newest application from an address, unless it was approved. Does not find unconfirmed applications: otherwise
 * people could apply with another person's address and learn from their own password whether the address was free.
 */
export async function findApplicant(
  db: Kysely<DatabaseTables>,
  email: string,
): Promise<ApplicantRow | undefined> {
  const { rows } = await sql<ApplicantRow>`
    select id, state, password_hash from applications
    where email = ${email} and state in ('waiting', 'declined') order by id desc limit 1`.execute(db)
  return rows[0]
}

/** @returns false if the application was approved meanwhile */
export async function eraseApplication(
  db: Kysely<DatabaseTables>,
  { id }: Pick<ApplicantRow, 'id'>,
): Promise<boolean> {
  return (await eraseApplications(db, sql`p.id = ${id} and p.state <> 'approved'`)) > 0
}

type ApplicationRow = {
  id: number
  state: string
  name: string
  username: string
  email: string
  email_confirmed_at: Date | null
  password_hash: string
  rules_seen: number
  language: 'es' | 'en' | null
}

export type ApplicationDecision = {
  decision: ApplicationOutcome
  /** The email contains this sentence. */
  sentence?: string | undefined
  by: ActingOperator
}

/**
 * @throws Failure `application_not_found`, `application_decided`; `user_already_exists` if another account
 * has taken the address meanwhile
 */
export async function decideApplication(
  tx: StoreTransaction,
  { emails, publicUrl }: { emails: EmailSender; publicUrl: string },
  publicId: string,
  { decision, sentence = '', by }: ApplicationDecision,
): Promise<{ username: string }> {
  const { db } = tx
  // The second of two concurrent decisions waits here.
  const { rows } = await sql<ApplicationRow>`
    select id, state, name, username, email, email_confirmed_at, password_hash, rules_seen, language from applications
    where public_id = ${publicId} for update`.execute(db)
  const [application] = rows
  if (!application || application.state === 'unconfirmed') return throwFailure('application_not_found')
  const { id, state, name, username, email, password_hash, rules_seen, language } = application
  if (state !== 'waiting') return throwFailure('application_decided')
  await sql`
    update applications set state = ${decision}, decided_at = clock_timestamp(), decided_by = ${'member' in by ? by.member : null},
      password_hash = case when ${decision === 'declined'} then password_hash end
    where id = ${id}`.execute(db)
  const made = decision === 'approved' ? await createMember() : null
  const act = decision === 'approved' ? 'application.approve' : 'application.decline'
  await recordOperatorAct(db, act, { by, about: made?.id ?? null })
  if (emails.isAvailable())
    await emails.sendWithin(db, email, renderApplicationEmail(decision, publicUrl, { language, sentence }))
  return { username: made?.username ?? username }

  async function createMember(): Promise<{ id: number; username: string }> {
    const account = await createAccount(db, null, {
      publicId: generateId(),
      name,
      email,
      passwordHash: password_hash,
      rulesSeen: rules_seen,
      emailConfirmedAt: application?.email_confirmed_at ?? null,
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
