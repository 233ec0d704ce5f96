import { setTimeout as pause } from 'node:timers/promises'
import type { AppContext } from '../../app-context.ts'
import { type RepeatingJob, startRepeatingJob } from '../../concurrency/repeating-job.ts'
import { deleteNextPostBatch } from './delete-posts-of-deleted-groups.ts'

const intervalMs = 5 * 60_000
const batchPauseMs = 20

export const startGroupDeletionWorker = (ctx: Pick<AppContext, 'store' | 'log'>): RepeatingJob =>
  startRepeatingJob({
    intervalMs,
    async work(signal) {
      while (!signal.aborted && (await deleteNextPostBatch(ctx)))
        await pause(batchPauseMs, undefined, { signal }).catch(() => {})
    },
    onError: (error) => ctx.log.warn({ err: error }, 'deleting rows of deleted groups was interrupted'),
  })
