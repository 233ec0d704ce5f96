/**
 * Looks when it starts, every five minutes, and at once where somebody asks, for accounts to erase, and erases them a batch at a
 * time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { coalesceCalls } from '../concurrency/coalesce.ts'
import {
  beginDueDeletions,
  type ErasureContext,
  eraseAccount,
  listDeletionsUnderWay,
} from './erase-account.ts'

const intervalMs = 5 * 60_000
/** Between two batches, so that members' own requests come first. */
const batchPauseMs = 50

export type DeletionWorker = { wake(): void; close(): Promise<void> }

export function startDeletionWorker(ctx: ErasureContext): DeletionWorker {
  const closing = new AbortController()
  const between = async () => {
    await pause(batchPauseMs, undefined, { signal: closing.signal }).catch(() => {})
    return !closing.signal.aborted
  }
  const run = coalesceCalls(async () => {
    if (closing.signal.aborted) return
    try {
      await beginDueDeletions(ctx)
      for (const deletion of await listDeletionsUnderWay(ctx)) await eraseAccount(ctx, deletion, { between })
    } catch (error) {
      ctx.log.warn({ err: error }, 'erasing an account was interrupted')
    }
  })
  const timer = setInterval(() => void run(), intervalMs)
  timer.unref()
  // Goes on with what a killed node left half-way: one that is killed again within each interval would never come to it.
  void run()
  return {
    wake: () => void run(),
    async close() {
      clearInterval(timer)
      closing.abort()
      await run()
    },
  }
}
