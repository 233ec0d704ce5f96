/** Small transactions let requests pass and the change log's position advance. */
import { type RawBuilder, sql } from 'kysely'
import { applicationRetentionDays, unconfirmedApplicationDays } from '#contract/community/community-limits.ts'
import type { AppContext } from '../app-context.ts'
import { whereSessionIsLive } from '../auth/session.ts'
import { liftEndedSuspensions } from '../auth/suspended-and-closed-accounts.ts'
import { endOverduePendingSessions } from '../features/account/account-security-notices.ts'
import { carryOutDueTwoFactorRemovals } from '../features/account/two-factor-removal-requests.ts'
import { purgeExpiredExports } from '../features/data-export/export-lifecycle.ts'
import { escalateStrandedCases } from '../features/moderation/escalate-case.ts'
import { notificationRetentionDays } from '../features/notifications/write-notifications.ts'
import { purgeUnusedFiles } from '../files/file-cleanup.ts'
import type { FileContext } from '../files/stored-files.ts'

const intervalMs = 5 * 60_000
const batchRows = 2000
/** The next run continues with the remaining rows. */
const maxBatchesPerTable = 50

const isOlderThan = (column: string, age: string) =>
  sql<boolean>`${sql.ref(`t.${column}`)} < clock_timestamp() - ${age}::interval`

/** Two nodes must not purge at once. */
const holdsLock = sql<boolean>`(select pg_try_advisory_xact_lock(hashtext('sweeps')))`

const expired: Record<string, RawBuilder<boolean>> = {
  // Clients that were away longer than this reload everything.
  changes: isOlderThan('created_at', '7 days'),
  // During this time, a deleted row's id works as a cursor.
  deleted_rows: isOlderThan('deleted_at', '24 hours'),
  // Other code ends pending sessions, because their owner may need a notice.
  sessions: sql<boolean>`t.pending_until is null and not (${whereSessionIsLive('t')})`,
  challenges: isOlderThan('expires_at', '0'),
  passkey_challenges: isOlderThan('expires_at', '0'),
  tokens: isOlderThan('expires_at', '0'),
  jwts: isOlderThan('expires_at', '0'),
  oauth_attempts: isOlderThan('expires_at', '0'),
  // The browser's cookie lasts as long.
  known_devices: isOlderThan('seen_at', '1 year'),
  // A repeated request has no effect for as long.
  follow_requests: sql<boolean>`t.status = 'declined' and ${isOlderThan('decided_at', '30 days')}`,
  held_usernames: isOlderThan('held_until', '0'),
  account_events: isOlderThan('created_at', '1 year'),
  notifications: isOlderThan('last_at', `${notificationRetentionDays} days`),
  notification_throttle: isOlderThan('rung_at', '24 hours'),
  // The row of a deleted account is empty. It holds the username until nothing refers to it.
  accounts: sql<boolean>`${isOlderThan('erased_at', '30 days')} and not exists (
    select from users u where u.account_id = t.id and (
      exists (select from conversations c where u.id in (c.low_id, c.high_id))
      or exists (select from files f where f.owner_id = u.id)
      or exists (select from comments c where c.author_id = u.id)
      or exists (select from blocks b where b.blocked_id = u.id)
      or exists (select from post_people n where n.person_id = u.id)
      or exists (select from posts p where p.withheld_by = u.id)
      or exists (select from post_photos p where p.withheld_by = u.id)))`,
  emails: isOlderThan('failed_at', '14 days'),
  applications: sql<boolean>`(${isOlderThan('decided_at', `${applicationRetentionDays} days`)}
    or (t.state = 'unconfirmed' and ${isOlderThan('created_at', `${unconfirmedApplicationDays} days`)}))`,
  backups: isOlderThan('finished_at', '1 year'),
  email_days: sql<boolean>`t.day < (clock_timestamp() at time zone 'UTC')::date - 30`,
  evidence: sql<boolean>`t.kept_until < clock_timestamp()`,
  moderation_log: isOlderThan('created_at', '24 months'),
  operator_acts: isOlderThan('created_at', '24 months'),
  // The reports and remaining evidence of the case are deleted with it.
  moderation_cases: isOlderThan('decided_at', '24 months'),
}

/** Purges expired rows. Does nothing while another node purges. The next run continues. */
export async function purgeExpiredRows(context: FileContext): Promise<void> {
  for (const [table, which] of Object.entries(expired)) {
    for (let batches = 0; batches < maxBatchesPerTable; batches += 1) {
      if ((await deleteBatch(context, table, which)) < batchRows) break
    }
  }
  for (let batches = 0; batches < maxBatchesPerTable; batches += 1) {
    if ((await shortenAddresses(context)) < batchRows) break
  }
  await liftEndedSuspensions(context.database.kysely, holdsLock)
  await purgeUnusedFiles(context)
  await purgeExpiredExports(context)
  await escalateStrandedCases(context.database.kysely)
}

/** Full addresses help to investigate abuse, but only for a week. */
async function shortenAddresses({ database }: FileContext): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update account_events
    set ip = network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end))::inet
    where ctid = any(array(
      select t.ctid from account_events t
      where ${holdsLock} and masklen(t.ip) in (32, 128) and ${isOlderThan('created_at', '7 days')} limit ${batchRows}))`.execute(
    database.kysely,
  )
  return Number(numAffectedRows)
}

async function deleteBatch(
  { database, log }: FileContext,
  table: string,
  which: RawBuilder<boolean>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t
      where ${holdsLock} and ${which} limit ${batchRows}))`.execute(database.kysely)
  if (numAffectedRows > 0n) log.debug({ table, rows: Number(numAffectedRows) }, 'swept')
  return Number(numAffectedRows)
}

export function scheduleExpiredRowPurge(context: AppContext): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = endOverduePendingSessions(context)
      .then(() => carryOutDueTwoFactorRemovals(context))
      .then(() => purgeExpiredRows(context))
      .catch((error: unknown) => context.log.warn({ err: error }, 'a sweep was interrupted'))
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
