import { setTimeout as pause } from 'node:timers/promises'
import { type RepeatingJob, startRepeatingJob } from '../../concurrency/repeating-job.ts'
import {
  beginDueDeletions,
  type ErasureContext,
  eraseAccount,
  listDeletionsUnderWay,
} from './erase-account.ts'

const intervalMs = 5 * 60_000
/** Members' requests have priority. */
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
