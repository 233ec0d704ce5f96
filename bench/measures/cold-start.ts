/** Goal P12: the start compared with that of a hello world server. */
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { initializeDatabaseWithoutFsync } from '#scripts/harness/server-process.ts'
import { openBenchDatabasePool } from '../environment/bench-databases.ts'
import { startNodeScript, startProductServer } from '../environment/start-processes.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const size = { members: 1_000, posts: 20_000 }

/** A CommonJS program, because modules that import `node:http` start more slowly. */
const helloWorld = `
  const server = require('node:http').createServer((_, answer) => answer.end('Hello'))
  server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port))`

export const coldStartBenchmark: BenchmarkDefinition = {
  goals: ['P12'],
  async run() {
    await using stage = await openBenchDatabasePool()
    using folder = mkdtempDisposableSync(join(tmpdir(), 'juntas-start-'))
    await initializeDatabaseWithoutFsync(folder.path)
    const url = await stage.copyOf(size)
    const measured: { hello: number; external: number; embedded: number }[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const hello = await timeOf(() => startNodeScript(['-e', helloWorld]))
      const external = await timeOf(() => startProductServer(url))
      const embedded = await timeOf(() => startProductServer(null, { DATA_DIR: folder.path }))
      // The first round creates the database schema and the compile cache.
      if (round > 0) measured.push({ hello, external, embedded })
    }
    const finding = (what: string, key: 'external' | 'embedded', most: number): BenchmarkResult => {
      const ratios = measured.map((round) => round[key] / round.hello)
      const [ms, hello] = [key, 'hello' as const].map((of) =>
        median(measured.map((round) => round[of])).toFixed(0),
      )
      const figure = `${median(ratios).toFixed(1)} (${ms} ms beside ${hello} ms)`
      return {
        goal: 'P12',
        what,
        figure,
        spread: formatValueRange(ratios, 1),
        target: `≤ ${most}`,
        met: median(ratios) <= most,
      }
    }
    return [
      finding('start to first 200, database running ÷ hello world', 'external', 6),
      finding('start to first 200, embedded PostgreSQL included ÷ hello world', 'embedded', 8),
    ]
  },
}

async function timeOf(start: () => ReturnType<typeof startProductServer>): Promise<number> {
  const began = performance.now()
  await using server = await start()
  const answer = await fetch(`${server.url}/v1/ping`)
  await answer.text()
  return performance.now() - began
}
