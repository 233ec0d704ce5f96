/**
 * Only one node sends each email. If the node dies between sending and deleting the email, the email is sent
 * twice but never lost.
 */
import { type Kysely, sql } from 'kysely'
import { hashSecretSha256 } from '../auth/hash-secret.ts'
import type { InstanceKey } from '../auth/instance-key.ts'
import { coalesceCalls } from '../concurrency/coalesce.ts'
import type { Database } from '../database/open-database.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { ServerLogger } from '../log.ts'
import type { EmailTemplate } from './message-templates.ts'
import { describeDeliveryError } from './retry-sms-delivery.ts'
import { isDiscardable } from './security-emails.ts'

export type QueuedEmail = { to: string; email: EmailTemplate }

export type EmailQueue = {
  /** Adds the email within `db`'s transaction. @returns the email's key */
  add(db: Kysely<DatabaseTables>, queued: QueuedEmail): Promise<number>
  run(): Promise<void>
  close(): Promise<void>
}

const pollMs = 2_000
/** The lease is longer than an attempt, so that no other node sends the email. */
const leaseSeconds = 120
const retryDelaysSeconds = [1, 5, 30, 120, 600]

/** Links and codes are not sent after they expire. Other emails are tried for three days. */
const hoursToDeliver: Partial<Record<EmailTemplate['kind'], number>> = {
  recovery: 1,
  'magic-url': 1,
  code: 1,
  'sign-up': 1,
  'unlock-asked': 24 * 7,
}

type ClaimedEmail = {
  id: number
  kind: string
  sealed: Buffer
  recipient_hash: Buffer
  attempts: number
}

export function createEmailQueue(given: {
  database: Pick<Database, 'kysely'>
  instanceKey: InstanceKey
  log: ServerLogger
  deliver(queued: QueuedEmail): Promise<unknown>
  /** Returns a sentence for the operator without the recipient's address. */
  describeFailure(error: unknown, to: string): string
}): EmailQueue {
  const { database, instanceKey, log, deliver, describeFailure } = given
  const db = database.kysely
  let closing = false

  const run = coalesceCalls(async () => {
    try {
      while (!closing && (await sendNext()));
    } catch (error) {
      log.warn({ err: error }, 'emails wait for the database')
    }
  })
  const timer = setInterval(() => void run(), pollMs)
  timer.unref()

  async function sendNext(): Promise<boolean> {
    const claimed = await claimNextEmail(db)
    if (!claimed) return false
    const { id, kind, attempts } = claimed
    const opened = await instanceKey.open(claimed.sealed, {
      purpose: 'email',
      owner: claimed.recipient_hash.toString('hex'),
    })
    if (!opened) {
      await markFailed(db, id, 'The key of this instance does not open the email: another key sealed it.')
      return true
    }
    const queued = JSON.parse(opened.toString()) as QueuedEmail
    try {
      await deliver(queued)
    } catch (error) {
      const reason = cutToBytes(describeFailure(error, queued.to), maxReasonBytes)
      const refused = isRefusedForGood(error)
      log.warn({ reason: describeDeliveryError(error), kind, last: refused }, 'an email was not delivered')
      if (refused) await markFailed(db, id, reason)
      else await retryLater(db, id, reason, retryDelaysSeconds[attempts] ?? 600)
      return refused
    }
    await markDelivered(db, id)
    return true
  }

  return {
    async add(db, queued) {
      const recipientHash = hashSecretSha256(queued.to.toLowerCase())
      const sealed = await instanceKey.seal(Buffer.from(JSON.stringify(queued)), {
        purpose: 'email',
        owner: recipientHash.toString('hex'),
      })
      const { kind } = queued.email
      const { rows } = await sql<{ id: number }>`
        insert into emails (kind, sealed, recipient_hash, expires_at)
        values (${kind}, ${sealed}, ${recipientHash},
          clock_timestamp() + ${`${hoursToDeliver[kind] ?? 72} hours`}::interval)
        returning id`.execute(db)
      return (rows[0] as { id: number }).id
    },
    run,
    async close() {
      closing = true
      clearInterval(timer)
      await run()
    },
  }
}

/** The column's limit. */
const maxReasonBytes = 200
const expiredReason = 'The email expired before the mail server accepted it.'

/** Cuts between characters. */
function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  const characters = Array.from(text)
  while (Buffer.byteLength(characters.join('')) > maxBytes - Buffer.byteLength('…')) characters.pop()
  return `${characters.join('')}…`
}

/** Takes the oldest due email, in order per address. Marks expired emails as failed. */
async function claimNextEmail(db: Kysely<DatabaseTables>): Promise<ClaimedEmail | null> {
  const { rows: expired } = await sql<{ id: number; last_error: string | null }>`
    select id, last_error from emails where failed_at is null and expires_at <= clock_timestamp() and next_attempt_at <= clock_timestamp()
    limit 100`.execute(db)
  for (const { id, last_error } of expired)
    await markFailed(
      db,
      id,
      cutToBytes(
        [expiredReason, last_error?.replace(expiredReason, '').trim()].filter(Boolean).join(' '),
        maxReasonBytes,
      ),
    )
  const { rows } = await sql<ClaimedEmail>`
    update emails set next_attempt_at = clock_timestamp() + ${`${leaseSeconds} seconds`}::interval
    where id = (
      select e.id from emails e
      where e.failed_at is null and e.next_attempt_at <= clock_timestamp() and e.expires_at > clock_timestamp() and not exists (
        select from emails earlier
        where earlier.recipient_hash = e.recipient_hash and earlier.id < e.id and earlier.failed_at is null)
      order by e.id limit 1 for update of e skip locked)
    returning id, kind, sealed, recipient_hash, attempts`.execute(db)
  return rows[0] ?? null
}

/** The 72 hours of an unlock request start now. */
const markDelivered = (db: Kysely<DatabaseTables>, id: number) =>
  sql`
    with delivered as (delete from emails where id = ${id} returning id),
      counted as (
        insert into email_days as d (day, sent)
        select (clock_timestamp() at time zone 'UTC')::date, 1 from delivered
        on conflict (day) do update set sent = d.sent + 1)
    update unlock_requests set due_at = clock_timestamp() + (due_at - asked_at), email_id = null
    where email_id = ${id}`.execute(db)

/** Also ends the unlock request, because its owner was not notified and could not stop it. */
const markFailed = (db: Kysely<DatabaseTables>, id: number, reason: string) =>
  sql`
    with ended as (delete from unlock_requests where email_id = ${id})
    update emails set failed_at = clock_timestamp(), last_error = ${reason}
    where id = ${id} and failed_at is null`.execute(db)

const retryLater = (db: Kysely<DatabaseTables>, id: number, reason: string, seconds: number) =>
  sql`
    update emails set attempts = attempts + 1, last_error = ${reason},
      next_attempt_at = clock_timestamp() + ${`${seconds} seconds`}::interval
    where id = ${id}`.execute(db)

/** True for an unknown recipient, but not for a refused login, which the operator can fix. */
const isRefusedForGood = (error: unknown): boolean => {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && Number(responseCode) >= 500
}

export type EmailQueueState = { waiting: number; failed: number; oldestSeconds: number }

export async function readEmailQueueState(db: Kysely<DatabaseTables>): Promise<EmailQueueState> {
  const { rows } = await sql<EmailQueueState>`
    select count(*) filter (where failed_at is null)::int as waiting, count(failed_at)::int as failed,
      coalesce(extract(epoch from clock_timestamp() - min(created_at) filter (where failed_at is null)), 0)::float8
        as "oldestSeconds"
    from emails`.execute(db)
  return rows[0] as EmailQueueState
}

export async function countSentEmails(db: Kysely<DatabaseTables>, days: number): Promise<number> {
  const { rows } = await sql<{ sent: number }>`
    select coalesce(sum(sent), 0)::int as sent from email_days
    where day > (clock_timestamp() at time zone 'UTC')::date - ${days}::int`.execute(db)
  return rows[0]?.sent ?? 0
}

export type UndeliveredEmail = {
  id: number
  kind: string
  to: string
  created_at: Date
  failed_at: Date | null
  last_error: string | null
  retriable: boolean
  discardable: boolean
}

export async function listUndeliveredEmails(
  db: Kysely<DatabaseTables>,
  instanceKey: InstanceKey,
): Promise<UndeliveredEmail[]> {
  const { rows } = await sql<
    Omit<UndeliveredEmail, 'to' | 'discardable'> & { sealed: Buffer; recipient_hash: Buffer }
  >`
    select id, kind, sealed, recipient_hash, created_at, failed_at, last_error, ${whereRetriable} as retriable
    from emails order by id limit 200`.execute(db)
  return Promise.all(
    rows.map(async ({ sealed, recipient_hash, ...row }) => {
      const owner = recipient_hash.toString('hex')
      const opened = await instanceKey.open(sealed, { purpose: 'email', owner })
      return {
        ...row,
        discardable: isDiscardable(row.kind),
        to: opened ? (JSON.parse(opened.toString()) as QueuedEmail).to : '(another key)',
      }
    }),
  )
}

/**
 * A failed `unlock-asked` email cannot be retried, because its request has ended. Links and codes expire, but
 * other texts are still true.
 */
const whereRetriable = sql<boolean>`(
  failed_at is null or (kind <> 'unlock-asked' and (expires_at > clock_timestamp() or kind <> all(${Object.keys(hoursToDeliver)}::text[]))))`

/**
 * A failed email is retried for at least another hour.
 * @returns 'missing' if it was delivered or discarded meanwhile
 */
export async function retryEmail(
  db: Kysely<DatabaseTables>,
  id: number,
): Promise<'due' | 'expired' | 'missing'> {
  const { rows } = await sql<{ due: boolean }>`
    with found as (select id, ${whereRetriable} as retriable from emails where id = ${id} for update),
      due as (
        update emails set failed_at = null, attempts = 0, next_attempt_at = clock_timestamp(),
          expires_at = case when failed_at is null then expires_at
            else greatest(expires_at, clock_timestamp() + interval '1 hour') end
        from found where emails.id = found.id and found.retriable returning emails.id)
    select retriable as due from found`.execute(db)
  const [found] = rows
  return found ? (found.due ? 'due' : 'expired') : 'missing'
}

/**
 * Keeps security emails.
 * @param db a transaction
 * @returns the kind and the key of the member with the address, if any
 */
export async function discardEmail(
  db: Kysely<DatabaseTables>,
  id: number,
): Promise<{ kind: string; about: number | null } | 'missing' | 'protected'> {
  const { rows } = await sql<{ kind: string; about: number | null }>`
    select e.kind, (
      select u.id from accounts a join users u on u.account_id = a.id
      where sha256(convert_to(lower(a.email), 'UTF8')) = e.recipient_hash limit 1) as about
    from emails e where e.id = ${id} for update of e`.execute(db)
  const [email] = rows
  if (!email) return 'missing'
  if (!isDiscardable(email.kind)) return 'protected'
  await sql`delete from emails where id = ${id}`.execute(db)
  return email
}
