/** Goals P1–P6 and P10: everyday requests and node+pg, in turn. */
import { performance } from 'node:perf_hooks'
import {
  createBenchSessionCookie,
  openBenchDatabasePool,
  queryBenchDatabase,
} from '../environment/bench-databases.ts'
import { defaultDatasetSize, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import { postgresMainPid, processCpuMs, processTreeCpuMs } from '../environment/resource-usage.ts'
import { startBenchProgram, startProductServer } from '../environment/start-processes.ts'
import { buildInsertUnusedPicturesSql } from '../environment/unused-pictures-sql.ts'
import {
  pickBenchWriter,
  unusedPictureCount,
  unusedPicturePrefix,
  type WriteBenchmarkScenario,
  writeBenchmarkScenarios,
  writerCount,
} from '../environment/write-scenarios.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)

export type EverydayRequest = {
  goal: string
  what: string
  work: string
  connections: number
  /** The smallest share of node+pg's throughput, and the largest multiple of its p99. */
  atLeast?: number
  p99AtMost?: number
}

export const everydayRequests: EverydayRequest[] = [
  { goal: 'P1', what: 'home page, c16', work: '/v1/feed', connections: 16, atLeast: 0.9 },
  { goal: 'P2', what: 'home p99, c64', work: '/v1/feed', connections: 64, p99AtMost: 3.5 },
  { goal: 'P3', what: 'explore page, c16', work: '/v1/explore', connections: 16, atLeast: 0.9 },
  { goal: 'P4', what: 'create post, c16', work: 'post', connections: 16, atLeast: 0.55 },
  { goal: 'P5', what: 'like with counter, c16', work: 'like', connections: 16, atLeast: 0.8 },
  { goal: 'P6', what: 'send message, c16', work: 'message', connections: 16, atLeast: 0.8 },
]

/** @param wanted P10 is measured together with P1 */
export const createThroughputBenchmark = (wanted: string[]): BenchmarkDefinition => ({
  goals: [...everydayRequests.map(({ goal }) => goal), 'P10'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(defaultDatasetSize)
    await insertUnusedPictures(url)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    const cookies = await Promise.all(
      Array.from({ length: writerCount }, (_, turn) => createBenchSessionCookie(url, pickBenchWriter(turn))),
    )
    const findings: BenchmarkResult[] = []
    for (const work of everydayRequests) {
      const asked = wanted.includes(work.goal) || (work.goal === 'P1' && wanted.includes('P10'))
      if (asked) findings.push(...(await compare(work, url, cookie, cookies)))
    }
    return findings
  },
})

type Round = { ours: Figures; theirs: Figures }
type Figures = { perSecond: number; p99: number; cpuEach: number }

/** @param cookies of the writers, who take turns */
async function compare(
  work: EverydayRequest,
  url: string,
  cookie: string,
  cookies: string[],
): Promise<BenchmarkResult[]> {
  const write: WriteBenchmarkScenario | null = Object.hasOwn(writeBenchmarkScenarios, work.work)
    ? writeBenchmarkScenarios[work.work as keyof typeof writeBenchmarkScenarios]
    : null
  if (write?.prepare) await queryBenchDatabase(url, write.prepare)
  await using product = await startProductServer(url)
  await using yardstick = await startBenchProgram('bench/baselines/node-pg-server.ts', {
    DATABASE_URL: url,
    BENCH_WORK: work.work,
    BENCH_COOKIE: cookie,
  })
  const database = await postgresMainPid(url)
  let turn = 0
  const next = () => {
    turn += 1
    if (!write) return { path: work.work, cookie }
    return { ...write.request(turn), cookie: cookies[turn % writerCount] ?? '' }
  }

  const measure = async (target: string, pid: number, own: boolean): Promise<Figures> => {
    const used = () => processCpuMs(pid) + processTreeCpuMs(database)
    const before = used()
    const began = performance.now()
    const result = await generateLoad({
      url: target,
      connections: work.connections,
      seconds,
      method: write?.method ?? 'GET',
      next: own ? next : () => ({ path: '/', cookie }),
    })
    const elapsed = (performance.now() - began) / 1000
    const count = result['2xx']
    return { perSecond: count / elapsed, p99: result.latency.p99, cpuEach: (used() - before) / count }
  }
  const measured: Round[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await measure(product.url, product.pid, true)
    const theirs = await measure(yardstick.url, yardstick.pid, false)
    if (round > 0) measured.push({ ours, theirs })
  }
  return findingsOf(work, measured)
}

function findingsOf(
  { goal, what, work, atLeast, p99AtMost }: EverydayRequest,
  measured: Round[],
): BenchmarkResult[] {
  const middle = (of: (round: Round) => number, digits = 0) => median(measured.map(of)).toFixed(digits)
  const name = `${what} ÷ node+pg`
  if (p99AtMost !== undefined) {
    const ratios = measured.map(({ ours, theirs }) => ours.p99 / theirs.p99)
    const figures = `${middle(({ ours }) => ours.p99)} ms beside ${middle(({ theirs }) => theirs.p99)} ms`
    return [finding(goal, name, ratios, `≤ ${p99AtMost}`, median(ratios) <= p99AtMost, figures)]
  }
  const ratios = measured.map(({ ours, theirs }) => ours.perSecond / theirs.perSecond)
  const each = `${middle(({ ours }) => ours.cpuEach, 2)} ms beside ${middle(({ theirs }) => theirs.cpuEach, 2)} ms`
  const figures = `${middle(({ ours }) => ours.perSecond)}/s beside ${middle(({ theirs }) => theirs.perSecond)}/s; CPU ${each}`
  const least = atLeast ?? 0
  const found = [finding(goal, name, ratios, `≥ ${least}`, median(ratios) >= least, figures)]
  if (goal === 'P1') {
    const used = measured.map(({ ours, theirs }) => ours.cpuEach / theirs.cpuEach)
    const most = 1.1
    found.push(
      finding(
        'P10',
        `CPU of ${work}, server + PostgreSQL, c16 ÷ node+pg`,
        used,
        `≤ ${most}`,
        median(used) <= most,
        each,
      ),
    )
  }
  return found
}

const finding = (
  goal: string,
  what: string,
  ratios: number[],
  target: string,
  met: boolean,
  figures: string,
) => ({
  goal,
  what,
  figure: `${median(ratios).toFixed(2)} (${figures})`,
  spread: formatValueRange(ratios),
  target,
  met,
})

export async function insertUnusedPictures(url: string): Promise<void> {
  const owner = `(${pickBenchWriter(0)} + n % ${writerCount})`
  await queryBenchDatabase(url, buildInsertUnusedPicturesSql(unusedPicturePrefix, owner), [
    1,
    unusedPictureCount,
  ])
  await queryBenchDatabase(url, 'vacuum analyze files')
}
