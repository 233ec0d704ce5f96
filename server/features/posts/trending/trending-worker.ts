import type { Database } from '../../../database/open-database.ts'
import type { ServerLogger } from '../../../log.ts'
import { rankTrendingPosts } from './rank-trending-posts.ts'

const intervalMs = 5 * 60_000
/** Nodes start at different times, so a node also creates a ranking that is not quite due. */
const minAgeMs = intervalMs - 30_000
/** The first requests after a start have priority. */
const firstDelayMs = 10_000

export type TrendingWorker = { close(): Promise<void> }

export function startTrendingWorker({
  database,
  log,
}: {
  database: Database
  log: ServerLogger
}): TrendingWorker {
  let running: Promise<unknown> = Promise.resolve()
  const rank = () => {
    running = rankTrendingPosts(database.kysely, minAgeMs).catch((error: unknown) =>
      log.warn({ err: error }, 'the ranking of trending posts was skipped'),
    )
  }
  const first = setTimeout(rank, firstDelayMs)
  const timer = setInterval(rank, intervalMs)
  first.unref()
  timer.unref()
  return {
    async close() {
      clearTimeout(first)
      clearInterval(timer)
      await running
    },
  }
}
