/** Goal P25: every post has the tag and the place. Compares 1,000,000 posts with 10,000. */
import { listPageSize } from '#contract/limits.ts'
import { connectToDatabase } from '#server/database/open-database.ts'
import { rankTrendingPosts } from '#server/features/posts/trending/rank-trending-posts.ts'
import { createServerLogger } from '#server/log.ts'
import { encodeCursor } from '#server/store/pagination.ts'
import { addWeekOfLikesAndComments } from '../environment/add-week-of-likes-and-comments.ts'
import {
  formatDatasetSize,
  openBenchDatabasePool,
  queryBenchDatabase,
} from '../environment/bench-databases.ts'
import { publicIdBuilders, sampleReaderKeys } from '../environment/generate-dataset.ts'
import {
  type ServerWithDataset,
  scaleDatasetSize,
  startServerWithDataset,
  type TimedPage,
  timePagesInterleaved,
} from '../environment/time-pages-by-dataset-size.ts'
import { type BenchmarkDefinition, formatValueRange, median } from '../report/results.ts'

const [small, large] = (process.env.BENCH_STEPS ?? '1,100').split(',').map(Number) as [number, number]
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const requests = 12
const deepPage = 100
const mostGrowth = 1.5
/** In both communities, more posts have reactions than a ranking can contain. */
const reactedTo = { members: 1_000, posts: 10_000 }

export const topicPageScalingBenchmark: BenchmarkDefinition = {
  goals: ['P25'],
  async run() {
    await using stage = await openBenchDatabasePool()
    await using opened = new AsyncDisposableStack()
    const servers: ServerWithDataset[] = []
    for (const step of [small, large]) {
      const size = scaleDatasetSize(step)
      const url = await stage.copyOf(size)
      await addWeekOfLikesAndComments(url, reactedTo)
      const database = connectToDatabase({ url, log: createServerLogger('warn') })
      await rankTrendingPosts(database.kysely)
      await database.close()
      const server = await startServerWithDataset(url, step, await listTopicPages(url))
      opened.use(server.server)
      servers.push(server)
    }
    const times = await timePagesInterleaved(servers, { rounds, requests })
    return [...times].map(([name, [ofSmall = [], ofLarge = []]]) => {
      const growth = ofLarge.map((ms, round) => ms / (ofSmall[round] ?? 1))
      return {
        goal: 'P25',
        what: `${name}: p50 with ${formatDatasetSize(scaleDatasetSize(large))} ÷ with a ${large / small}th of it`,
        figure: `${median(growth).toFixed(2)} (${median(ofLarge).toFixed(1)} ms beside ${median(ofSmall).toFixed(1)})`,
        spread: formatValueRange(growth),
        target: `≤ ${mostGrowth}`,
        met: median(growth) <= mostGrowth,
      }
    })
  },
}

async function listTopicPages(url: string): Promise<TimedPage[]> {
  const [deep] = await queryBenchDatabase<{ public_id: string; at: Date }>(
    url,
    `select p.public_id, t.created_at as at from post_topics t join posts p on p.id = t.post_id
     where t.kind = 'tag' and t.topic = 'mar' and t.group_id is null
     order by t.created_at desc, t.post_id desc offset $1 limit 1`,
    [(deepPage - 1) * listPageSize],
  )
  const cursor = deep ? encodeURIComponent(encodeCursor(deep.public_id, deep.at)) : ''
  const page = (name: string, path: string) => ({ name, path: `/v1${path}`, member: sampleReaderKeys.usual })
  return [
    page('tag', '/tags/mar/posts'),
    page(`tag, page ${deepPage}`, `/tags/mar/posts?cursor=${cursor}`),
    page('place', '/places/posts?place=Valencia'),
    page('similar posts', `/posts/${publicIdBuilders.post(1)}/similar`),
    page('loved this week', '/explore?order=loved'),
  ]
}
