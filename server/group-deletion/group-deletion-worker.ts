/** Deletes what deleted groups left: when a node starts, when one of its members deletes a group, and every five minutes. */
import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from '../app-context.ts'
import { coalesceCalls } from '../concurrency/coalesce.ts'
import { deleteNextBatch } from './delete-posts-of-deleted-groups.ts'

const intervalMs = 5 * 60_000
/** Between two batches, so that members' own requests come first. */
const batchPauseMs = 20

export type GroupDeletionWorker = {
  /** Has it look now. */
  wake(): void
  close(): Promise<void>
}

export function startGroupDeletionWorker(ctx: Pick<AppContext, 'store' | 'log'>): GroupDeletionWorker {
  const closing = new AbortController()
  const run = coalesceCalls(async () => {
    try {
      while (!closing.signal.aborted && (await deleteNextBatch(ctx)))
        await pause(batchPauseMs, undefined, { signal: closing.signal }).catch(() => {})
    } catch (error) {
      ctx.log.warn({ err: error }, 'deleting what deleted groups left was interrupted')
    }
  })
  const timer = setInterval(() => void run(), intervalMs)
  timer.unref()
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
