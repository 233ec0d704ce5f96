import { coalesceCalls } from '../../../concurrency/coalesce.ts'
import { emailWaitingApplications } from '../../community/email-operators.ts'
import { emailWaitingReports } from './email-moderators.ts'
import { type PushContext, sendDuePushes } from './send-pushes.ts'
import { type SummaryContext, sendDueSummaries } from './send-summaries.ts'

const pollMs = 2000
const summaryPollMs = 60_000

export type PushWorker = { close(): Promise<void> }

export function startPushWorker(ctx: PushContext & SummaryContext): PushWorker {
  let closing = false
  const repeat = (round: () => Promise<number>) =>
    coalesceCalls(async () => {
      try {
        while (!closing && (await round()) > 0);
      } catch (error) {
        ctx.log.warn({ err: error }, 'pushes wait for the database')
      }
    })
  const runs = [
    {
      run: repeat(() => (ctx.config.pushHosts === null ? Promise.resolve(0) : sendDuePushes(ctx))),
      every: pollMs,
    },
    { run: repeat(() => sendDueSummaries(ctx)), every: summaryPollMs },
    { run: repeat(() => emailWaitingReports(ctx)), every: summaryPollMs },
    { run: repeat(() => emailWaitingApplications(ctx)), every: summaryPollMs },
  ]
  const timers = runs.map(({ run, every }) => setInterval(() => void run(), every).unref())
  return {
    async close() {
      closing = true
      for (const timer of timers) clearInterval(timer)
      await Promise.all(runs.map(({ run }) => run()))
    },
  }
}
