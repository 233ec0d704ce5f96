/**
 * What goes by itself with time (reading S-05): every five minutes, by one node at a time. Each statement is a transaction
 * of its own and takes few rows, so that nobody waits for it and the position of live updates does not stand still.
 */
import { type RawBuilder, sql } from 'kysely'
import type { FileParts } from './files.ts'
import { sweepFiles } from './files-sweep.ts'
import { alive } from './session.ts'

const everyMs = 5 * 60_000
/** Rows a statement, statements a sweep; what is left over goes next time. */
const batch = 2000
const mostBatches = 50

const longerAgo = (column: string, age: string) =>
  sql<boolean>`${sql.ref(`t.${column}`)} < clock_timestamp() - ${age}::interval`

/** No other node is at it. */
const mine = sql<boolean>`(select pg_try_advisory_xact_lock(hashtext('sweeps')))`

/** Table → which of its rows, `t`, are over. */
const over: Record<string, RawBuilder<boolean>> = {
  // As long as a client may be away and still catch up (architecture §14.3).
  changes: longerAgo('created_at', '7 days'),
  // As long as the id of a deleted row works as a cursor (reading R-12).
  deleted_rows: longerAgo('deleted_at', '24 hours'),
  sessions: sql<boolean>`not (${alive('t')})`,
  tokens: longerAgo('expires_at', '0'),
  jwts: longerAgo('expires_at', '0'),
  oauth_attempts: longerAgo('expires_at', '0'),
  // As long as the browser keeps its cookie.
  known_devices: longerAgo('seen_at', '1 year'),
  // Security reference §5.9.
  account_events: longerAgo('created_at', '1 year'),
}

/** Once, now. A node that finds another sweeping leaves it to that one; interrupted anywhere, the next one goes on. */
export async function sweep(parts: FileParts): Promise<void> {
  for (const [table, which] of Object.entries(over)) {
    for (let batches = 0; batches < mostBatches; batches += 1) {
      if ((await sweepBatch(parts, table, which)) < batch) break
    }
  }
  for (let batches = 0; batches < mostBatches; batches += 1) {
    if ((await coarsenBatch(parts)) < batch) break
  }
  await sweepFiles(parts)
}

/** Abuse is looked into within a week; from then on the network an event came from is enough (security reference §5.8). */
async function coarsenBatch({ database }: FileParts): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update account_events
    set ip = network(set_masklen(ip, case family(ip) when 4 then 24 else 48 end))::inet
    where ctid = any(array(
      select t.ctid from account_events t
      where ${mine} and masklen(t.ip) in (32, 128) and ${longerAgo('created_at', '7 days')} limit ${batch}))`.execute(
    database.kysely,
  )
  return Number(numAffectedRows)
}

async function sweepBatch(
  { database, log }: FileParts,
  table: string,
  which: RawBuilder<boolean>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from ${sql.table(table)} where ctid = any(array(
      select t.ctid from ${sql.table(table)} t
      where ${mine} and ${which} limit ${batch}))`.execute(database.kysely)
  if (numAffectedRows > 0n) log.debug({ table, rows: Number(numAffectedRows) }, 'swept')
  return Number(numAffectedRows)
}

/** Sweeps from now on. @returns ends it, and waits for the one under way */
export function keepSweeping(parts: FileParts): () => Promise<void> {
  let under: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    under = sweep(parts).catch((error: unknown) => parts.log.warn({ err: error }, 'a sweep was interrupted'))
  }, everyMs)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await under
  }
}
