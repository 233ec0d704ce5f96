import { sql } from 'kysely'
import { coalesceCalls } from '../../concurrency/coalesce.ts'
import { generateId } from '../../ids.ts'
import {
  type ClaimedExport,
  ExportClaimLostError,
  type ExportGatherContext,
  gatherExport,
} from './gather-export.ts'

/** A node without heartbeat for this long counts as dead. A retry waits for the same time. */
const leaseSeconds = 30
const pollMs = 10_000
const heartbeatMs = 5000
/** An export fails after this many consecutive attempts without progress. */
const maxFailures = 3

export type ExportWorker = { wake(): void; close(): Promise<void> }

export function startExportWorker(ctx: ExportGatherContext): ExportWorker {
  const closing = new AbortController()
  const run = coalesceCalls(async () => {
    try {
      while (!closing.signal.aborted && (await gatherNextExport(ctx, closing.signal)));
    } catch (error) {
      ctx.log.warn({ err: error }, 'data exports wait for the database')
    }
  })
  const timer = setInterval(() => void run(), pollMs)
  timer.unref()
  return {
    wake: () => void run(),
    async close() {
      clearInterval(timer)
      closing.abort()
      await run()
    },
  }
}

export async function gatherNextExport(ctx: ExportGatherContext, stopping: AbortSignal): Promise<boolean> {
  const held = await claimExport(ctx)
  if (!held) return false
  const { database, blobs, log } = ctx
  const isHeld = sql`id = ${held.id} and state = 'gathering' and holder = ${held.holder}`
  const beat = setInterval(() => {
    sql`update exports set heartbeat_at = clock_timestamp() where ${isHeld}`
      .execute(database.kysely)
      .catch((error: unknown) => log.warn({ err: error }, 'a data export waits for the database'))
  }, heartbeatMs)
  try {
    await gatherExport(ctx, held, stopping)
    // Releasing the export lets any node claim it immediately after a shutdown.
    await sql`update exports set holder = null, heartbeat_at = null where ${isHeld}`.execute(database.kysely)
  } catch (error) {
    if (!(error instanceof ExportClaimLostError)) {
      log.error({ err: error }, 'a data export failed')
      await sql`
        update exports set holder = null, heartbeat_at = clock_timestamp(), failures = failures + 1,
          state = case when failures + 1 >= ${maxFailures} then 'failed' else state end
        where ${isHeld}`.execute(database.kysely)
    }
  } finally {
    clearInterval(beat)
  }
  const left = await database.kysely
    .selectFrom('exports')
    .select('id')
    .where('id', '=', held.id)
    .executeTakeFirst()
  // The export was discarded meanwhile. Nothing else removes the texts that this node stored afterwards.
  if (!left) await blobs.remove(held.storage_key)
  return true
}

async function claimExport({ database }: ExportGatherContext): Promise<ClaimedExport | null> {
  const holder = generateId()
  // Attempts whose node died count as failures too. Otherwise an export that kills its node would be retried
  // forever.
  await sql`
    update exports set state = 'failed', holder = null
    where state = 'gathering' and holder is not null and failures + 1 >= ${maxFailures}
      and heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds})`.execute(database.kysely)
  const { rows } = await sql<ClaimedExport>`
    with claimed as (
      update exports set holder = ${holder}, heartbeat_at = clock_timestamp(),
        failures = failures + case when holder is null then 0 else 1 end
      where id = (
        select e.id from exports e
        where e.state = 'gathering' and (e.heartbeat_at is null or e.heartbeat_at < clock_timestamp() - make_interval(secs => ${leaseSeconds}))
        order by e.id limit 1 for update skip locked)
      returning *
    )
    select c.id, c.storage_key, c.step, c.holder, c.account_id as account, u.id as member, c.created_at
    from claimed c join users u on u.account_id = c.account_id`.execute(database.kysely)
  return rows[0] ?? null
}
