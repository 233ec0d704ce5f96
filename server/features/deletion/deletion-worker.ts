/**
 * Looks when it starts, every five minutes, and at once where somebody asks, for accounts to erase, and erases them a batch at a
 * time.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type RepeatingJob, startRepeatingJob } from '../../concurrency/repeating-job.ts'
import {
  beginDueDeletions,
  type ErasureContext,
  eraseAccount,
  listDeletionsUnderWay,
} from './erase-account.ts'

const intervalMs = 5 * 60_000
/** Between two batches, so that members' own requests come first. */
const batchPauseMs = 50

export const startDeletionWorker = (ctx: ErasureContext): RepeatingJob =>
  startRepeatingJob({
    intervalMs,
    async work(signal) {
      const between = async () => {
        await pause(batchPauseMs, undefined, { signal }).catch(() => {})
        return !signal.aborted
      }
      await beginDueDeletions(ctx)
      for (const deletion of await listDeletionsUnderWay(ctx)) await eraseAccount(ctx, deletion, { between })
    },
    onError: (error) => ctx.log.warn({ err: error }, 'erasing an account was interrupted'),
  })
