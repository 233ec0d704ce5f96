/** Goal P20: two nodes compared with one. Needs four cores, because the load generator uses one. */
import { availableParallelism } from 'node:os'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { defaultDatasetSize, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import { startProductServer } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, formatValueRange, median } from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const minCores = 4

export const twoNodeThroughputBenchmark: BenchmarkDefinition = {
  goals: ['P20'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(defaultDatasetSize)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    await using first = await startProductServer(url)
    await using second = await startProductServer(url)
    const nodes = [first, second]
    const next = () => ({ path: '/v1/feed', cookie })
    const perSecond = async (some: typeof nodes) => {
      const each = some.map((node) =>
        generateLoad({ url: node.url, connections: 16 / some.length, seconds, next }),
      )
      const results = await Promise.all(each)
      return results.reduce((sum, { requests }) => sum + requests.average, 0)
    }
    const measured: { two: number; one: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const one = await perSecond(nodes.slice(0, 1))
      const two = await perSecond(nodes)
      if (round > 0) measured.push({ one, two })
    }
    const ratios = measured.map(({ one, two }) => two / one)
    const cores = availableParallelism()
    const [two, one] = (['two', 'one'] as const).map((of) =>
      median(measured.map((round) => round[of])).toFixed(0),
    )
    return [
      {
        goal: 'P20',
        what: `home, c16, two nodes ÷ one, on ${cores} cores`,
        figure: `${median(ratios).toFixed(2)} (${two}/s beside ${one}/s)`,
        spread: formatValueRange(ratios),
        target: `≥ 1.7 on ${minCores} cores`,
        met: cores < minCores ? null : median(ratios) >= 1.7,
      },
    ]
  },
}
