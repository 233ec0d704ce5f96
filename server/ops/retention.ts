/**
 * Deletes expired rows every five minutes, on one node at a time. Each statement is its own transaction over few rows, so
 * that no request waits for it and it does not hold back the position of the change log, which trails the oldest
 * transaction.
 */
import { type RawBuilder, sql } from 'kysely'
import type { AppContext } from '../app-context.ts'
import { whereSessionIsLive } from '../auth/session.ts'
import { liftEndedSuspensions } from '../auth/suspended-and-closed-accounts.ts'
import { endOverduePendingSessions } from '../features/account/account-security-notices.ts'
import { carryOutDueTwoStepRemovals } from '../features/account/two-step-removal-requests.ts'
import { purgeExpiredExports } from '../features/data-export/export-lifecycle.ts'
import { escalateStrandedCases } from '../features/moderation/escalate-case.ts'
import { notificationRetentionDays } from '../features/notifications/write-notifications.ts'
import { purgeUnusedFiles } from '../files/file-cleanup.ts'
import type { FileContext } from '../files/stored-files.ts'

const intervalMs = 5 * 60_000
/** Per statement. */
const batchRows = 2000
/** Per run; the rest goes with the next one. */
const maxBatchesPerTable = 50

const isOlderThan = (column: string, age: string) =>
  sql<boolean>`${sql.ref(`t.${column}`)} < clock_timestamp() - ${age}::interval`

/** Takes the lock that keeps two nodes from purging at once. */
const holdsLock = sql<boolean>`(select pg_try_advisory_xact_lock(hashtext('sweeps')))`

/** Table → the condition that a row `t` of it is expired. */
const expired: Record<string, RawBuilder<boolean>> = {
  // A client that was away for longer loads anew instead of catching up.
  changes: isOlderThan('created_at', '7 days'),
  // The id of a deleted row works as a cursor for so long.
  deleted_rows: isOlderThan('deleted_at', '24 hours'),
  // One that waits for its second step is ended apart, because its owner may have to be told.
  sessions: sql<boolean>`t.pending_until is null and not (${whereSessionIsLive('t')})`,
  challenges: isOlderThan('expires_at', '0'),
  passkey_challenges: isOlderThan('expires_at', '0'),
  tokens: isOlderThan('expires_at', '0'),
  jwts: isOlderThan('expires_at', '0'),
  oauth_attempts: isOlderThan('expires_at', '0'),
  // The browser's cookie lives as long.
  known_devices: isOlderThan('seen_at', '1 year'),
  // For so long asking anew reaches nobody.
  follow_requests: sql<boolean>`t.status = 'declined' and ${isOlderThan('decided_at', '30 days')}`,
  held_usernames: isOlderThan('held_until', '0'),
  account_events: isOlderThan('created_at', '1 year'),
  notifications: isOlderThan('last_at', `${notificationRetentionDays} days`),
  notification_throttle: isOlderThan('rung_at', '24 hours'),
  // Of a deleted account the empty row, once nobody keeps anything that refers to it, and its username is free again.
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
  evidence: sql<boolean>`t.kept_until < clock_timestamp()`,
  moderation_log: isOlderThan('created_at', '24 months'),
  // With its reports, and the evidence that is left.
  moderation_cases: isOlderThan('decided_at', '24 months'),
}

/** Purges once. Does nothing while another node purges; safe to interrupt, the next run continues. */
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

/** Shortens IP addresses of events to their network after a week, in which abuse is investigated (decision 0081). */
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

/** Purges periodically. @returns stops it, and resolves when the current run ended */
export function scheduleExpiredRowPurge(context: AppContext): () => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    running = endOverduePendingSessions(context)
      .then(() => carryOutDueTwoStepRemovals(context))
      .then(() => purgeExpiredRows(context))
      .catch((error: unknown) => context.log.warn({ err: error }, 'a sweep was interrupted'))
  }, intervalMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await running
  }
}
