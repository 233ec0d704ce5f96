/**
 * `npm run bench` compares with baselines in turn, because a machine's speed varies. `npm run bench -- P1 P4` selects
 * goals. Updates docs/benchmarks.md.
 */

import { accessRevocationLatencyBenchmark } from './measures/access-revocation-latency.ts'
import { accountExportBenchmark } from './measures/account-export-memory.ts'
import { appealEnumerationTimingBenchmark } from './measures/appeal-enumeration-timing.ts'
import { coldStartBenchmark } from './measures/cold-start.ts'
import { datasetScalingBenchmark } from './measures/dataset-scaling.ts'
import { decompressionBombBenchmark } from './measures/decompression-bombs.ts'
import { eventLoopStarvationBenchmark } from './measures/event-loop-starvation.ts'
import { groupDeletionBenchmark } from './measures/group-deletion.ts'
import { readLatencyUnderUploadsBenchmark, uploadThroughputBenchmark } from './measures/image-uploads.ts'
import { notificationsUnderLoadBenchmark } from './measures/notifications-under-load.ts'
import { pageLoadBenchmark } from './measures/page-load.ts'
import { pictureRevalidationBenchmark } from './measures/picture-revalidation.ts'
import { postingOnAFlakyNetworkBenchmark } from './measures/posting-on-a-flaky-network.ts'
import { readsBesideExpensiveListsBenchmark } from './measures/reads-beside-expensive-lists.ts'
import { revocationUnderLoadBenchmark } from './measures/revocation-under-load.ts'
import { serverMemoryBenchmark } from './measures/server-memory.ts'
import { createThroughputBenchmark } from './measures/throughput-vs-baseline.ts'
import { blocksAndPrivateAccountsBenchmark } from './measures/throughput-with-blocks-and-private-accounts.ts'
import { topicPageScalingBenchmark } from './measures/topic-page-scaling.ts'
import { trendingPostsBenchmark } from './measures/trending-posts.ts'
import { twoNodeThroughputBenchmark } from './measures/two-node-throughput.ts'
import { uploadsBesideExpensivePicturesBenchmark } from './measures/uploads-beside-expensive-pictures.ts'
import { crowdDeliveryBenchmark, messageLatencyBenchmark } from './measures/websocket-delivery-and-memory.ts'
import { type BenchmarkDefinition, formatResultsTable, saveBenchmarkResults } from './report/results.ts'

const wanted = process.argv.slice(2).map((goal) => goal.toUpperCase())
const known = (goals: string[]): BenchmarkDefinition[] => [
  createThroughputBenchmark(goals),
  uploadThroughputBenchmark,
  readLatencyUnderUploadsBenchmark,
  decompressionBombBenchmark,
  uploadsBesideExpensivePicturesBenchmark,
  eventLoopStarvationBenchmark,
  readsBesideExpensiveListsBenchmark,
  messageLatencyBenchmark,
  crowdDeliveryBenchmark,
  coldStartBenchmark,
  serverMemoryBenchmark,
  pageLoadBenchmark,
  pictureRevalidationBenchmark,
  appealEnumerationTimingBenchmark,
  datasetScalingBenchmark,
  twoNodeThroughputBenchmark,
  blocksAndPrivateAccountsBenchmark,
  accessRevocationLatencyBenchmark,
  trendingPostsBenchmark,
  accountExportBenchmark,
  topicPageScalingBenchmark,
  postingOnAFlakyNetworkBenchmark,
  notificationsUnderLoadBenchmark,
  groupDeletionBenchmark,
  revocationUnderLoadBenchmark,
]
const every = known([]).flatMap(({ goals }) => goals)
const unknown = wanted.filter((goal) => !every.includes(goal))
if (unknown.length > 0) {
  console.error(`There is no bench for ${unknown.join(', ')}; there is one for ${every.join(' ')}.`)
  process.exit(1)
}
const goals = wanted.length > 0 ? wanted : every
for (const measure of known(goals)) {
  if (!measure.goals.some((goal) => goals.includes(goal))) continue
  const found = await measure.run()
  console.log(formatResultsTable(found))
  saveBenchmarkResults(found)
}
