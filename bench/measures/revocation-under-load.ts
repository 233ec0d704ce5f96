/** Goal P29: 10,000 writes through both APIs on two nodes, while members lose rights. */
import { openBenchDatabasePool } from '../environment/bench-databases.ts'
import { runRevocationsUnderLoad } from '../environment/run-revocations-under-load.ts'
import { startProductServer } from '../environment/start-processes.ts'
import type { BenchmarkDefinition, BenchmarkResult } from '../report/results.ts'

const writes = Number(process.env.BENCH_WRITES ?? 10_000)
const size = { members: 1_000, posts: 10_000 }

export const revocationUnderLoadBenchmark: BenchmarkDefinition = {
  goals: ['P29'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    // The nodes communicate by NOTIFY, or by Redis if BENCH_REDIS_URL is set.
    const env: Record<string, string> = process.env.BENCH_REDIS_URL
      ? { REDIS_URL: process.env.BENCH_REDIS_URL }
      : {}
    await using first = await startProductServer(url, env)
    await using second = await startProductServer(url, env)
    const { ends, before, after, live, earlier } = await runRevocationsUnderLoad(
      [first.url, second.url],
      url,
      writes,
    )
    for (const line of [...after.came, ...live.leaked].slice(0, 20)) console.error(`✗ ${line}`)
    const number = (count: number) => count.toLocaleString('en')
    const finding = (what: string, figure: string, met: boolean, spread: string): BenchmarkResult => ({
      ...{ goal: 'P29', what, figure, spread, target: '0', met },
    })
    const came = (kind: 'read' | 'write') =>
      after.came.filter((line) => line.includes(' read ') === (kind === 'read')).length
    const endings = Object.entries(ends).map(([way, times]) => `${way} ${times}`)
    return [
      finding(
        'messages, posts, likes and comments begun after the acknowledgement that the right had ended, through both APIs of two nodes, that came in',
        `${came('write')} of ${number(after.writes)}`,
        came('write') === 0,
        `${number(after.writesAtOnce)} within 100 ms of it; ${endings.join(', ')}; of ${number(before.tried)} begun before, ${number(before.done)} were done`,
      ),
      finding(
        'a post that was asked for after it, and came out',
        `${came('read')} of ${number(after.reads)}`,
        came('read') === 0,
        `${number(after.readsAtOnce)} within 100 ms of it`,
      ),
      finding(
        'others’ later changes that reached one of the four sockets of a member who had lost the right',
        `${live.leaked.length} of ${number(live.rows)}`,
        live.leaked.length === 0,
        `${number(live.keptFrames)} frames of them to members who kept the right; about earlier rows ${number(earlier.frames)} frames, the last ${earlier.lastAfterMs.toFixed(0)} ms after it`,
      ),
    ]
  },
}
