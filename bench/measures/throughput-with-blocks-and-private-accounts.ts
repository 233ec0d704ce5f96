/** Goal P21: P1–P6 with 13,000 blocks and three of ten accounts private, and without both, in short turns. */
import { seededRandom } from '#scripts/harness/seeded-random.ts'
import {
  addBlocksAndPrivateAccounts,
  rewritePostsUnchanged,
} from '../environment/add-blocks-and-private-accounts.ts'
import {
  createBenchSessionCookie,
  openBenchDatabasePool,
  queryBenchDatabase,
} from '../environment/bench-databases.ts'
import { countPagesReadByRequest } from '../environment/explain-request-queries.ts'
import { type DatasetSize, sampleReaderKeys } from '../environment/generate-dataset.ts'
import { generateLoad } from '../environment/load-generator.ts'
import { recordReadStatementsOfRequest } from '../environment/record-queries.ts'
import { postgresMainPid, processCpuMs, processTreeCpuMs } from '../environment/resource-usage.ts'
import { type RunningBenchProcess, startProductServer } from '../environment/start-processes.ts'
import {
  isWriteBenchmarkScenario,
  pickBenchWriter,
  writeBenchmarkScenarios,
  writerCount,
} from '../environment/write-scenarios.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
  quantile,
} from '../report/results.ts'
import { type EverydayRequest, everydayRequests, insertUnusedPictures } from './throughput-vs-baseline.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 12)
const seconds = Number(process.env.BENCH_SECONDS ?? 2)
/** Slow percentiles need more requests: the p99 of four hundred is the fourth slowest. */
const tailSecondsFactor = 5
const drawings = 1000
const size: DatasetSize = { members: 10_000, posts: 200_000 }
const mostRatio = 1.1
const mostStatements = 3
const home = '/v1/feed'

type State = {
  url: string
  server: RunningBenchProcess
  database: number
  reader: string
  writers: string[]
}

export const blocksAndPrivateAccountsBenchmark: BenchmarkDefinition = {
  goals: ['P21'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const [plain, guarded] = [await stage.copyOf(size), await stage.copyOf(size)]
    await rewritePostsUnchanged(plain)
    await addBlocksAndPrivateAccounts(guarded)
    const liked = await selectLikeablePosts(guarded)
    await using servers = new AsyncDisposableStack()
    const begin = async (url: string): Promise<State> => {
      await insertUnusedPictures(url)
      return {
        url,
        server: servers.use(await startProductServer(url)),
        database: await postgresMainPid(url),
        reader: await createBenchSessionCookie(url, sampleReaderKeys.usual),
        writers: await Promise.all(
          Array.from({ length: writerCount }, (_, turn) =>
            createBenchSessionCookie(url, pickBenchWriter(turn)),
          ),
        ),
      }
    }
    const states = { without: await begin(plain), with: await begin(guarded) }
    const results = await describeHome(states)
    for (const request of everydayRequests) results.push(await compare(request, states, liked))
    return results
  },
}

type States = { without: State; with: State }

/** The database work for Home does not depend on the machine's load. */
async function describeHome(states: States): Promise<BenchmarkResult[]> {
  const read = async ({ url, reader }: State) => ({
    statements: (await recordReadStatementsOfRequest(url, reader, home)).length,
    buffers: await countPagesReadByRequest(url, reader, home),
  })
  const [plain, guarded] = [await read(states.without), await read(states.with)]
  const ratio = guarded.buffers / plain.buffers
  return [
    {
      goal: 'P21',
      what: 'statements of a home page with 13,000 blocks and 30 % private accounts',
      figure: String(guarded.statements),
      spread: `${plain.statements} without`,
      target: `≤ ${mostStatements}`,
      met: guarded.statements > 0 && guarded.statements <= mostStatements,
    },
    {
      goal: 'P21',
      what: 'pages that PostgreSQL reads for a home page, with ÷ without',
      figure: `${ratio.toFixed(2)} (${guarded.buffers} beside ${plain.buffers})`,
      target: `≤ ${mostRatio}`,
      met: ratio <= mostRatio,
    },
  ]
}

/** Returns, for each writer, posts outside groups that are readable despite the blocks. */
async function selectLikeablePosts(url: string): Promise<string[][]> {
  const found = await queryBenchDatabase<{ posts: string[] }>(
    url,
    `select array(
       select p.public_id::text from posts p
       where p.group_id is null
         and (not p.followers_only or p.creator_id = w.id
           or exists (select from follows f where f.follower_id = w.id and f.following_id = p.creator_id))
         and not exists (select from block_pairs b where b.member_id = w.id and b.other_id = p.creator_id)
       order by p.id limit 4000
     ) as posts
     from generate_series($1::int, $1::int + $2::int - 1) w (id) order by w.id`,
    [pickBenchWriter(0), writerCount],
  )
  return found.map(({ posts }) => posts)
}

/** `latencies` in milliseconds, `cpu` in milliseconds per request. */
type Figures = { speed: number; latencies: number[]; cpu: number }

type Round = Record<keyof States, Figures>

const pooledP99 = (measured: readonly Round[], name: keyof States) =>
  quantile(
    measured.flatMap((round) => round[name].latencies),
    0.99,
  )

/** A single round has too few slow requests. The spread is the bootstrap's 90 % interval (percentile method). */
function compareTails(measured: readonly Round[]) {
  const ratioOf = (some: readonly Round[]) => pooledP99(some, 'with') / pooledP99(some, 'without')
  const random = seededRandom(drawings)
  const draw = (): Round => measured[random(measured.length)] as Round
  const drawn = Array.from({ length: drawings }, () => ratioOf(measured.map(draw)))
  return {
    ratio: ratioOf(measured),
    spread: `${quantile(drawn, 0.05).toFixed(2)} … ${quantile(drawn, 0.95).toFixed(2)}`,
    beside: `${pooledP99(measured, 'with').toFixed(0)} ms beside ${pooledP99(measured, 'without').toFixed(0)} ms`,
  }
}

async function compare(
  request: EverydayRequest,
  states: States,
  liked: readonly string[][],
): Promise<BenchmarkResult> {
  const { goal, what, work, connections } = request
  const isTail = goal === 'P2'
  const write = isWriteBenchmarkScenario(work) ? writeBenchmarkScenarios[work] : null

  // Each write uses a new row. Reads use no unused pictures.
  const turns: Record<keyof States, number> = { without: 0, with: 0 }
  const next = (name: keyof States) => {
    const state = states[name]
    turns[name] += 1
    const turn = turns[name]
    if (!write) return { path: work, cookie: state.reader }
    const cookie = state.writers[turn % writerCount] ?? ''
    if (work !== 'like') return { ...write.request(turn), cookie }
    const posts = liked[turn % writerCount] ?? []
    return { path: `/v1/posts/${posts[Math.floor(turn / writerCount) % posts.length]}/like`, cookie }
  }
  const measure = async (name: keyof States): Promise<Figures> => {
    const { server, database } = states[name]
    const used = () => processCpuMs(server.pid) + processTreeCpuMs(database)
    const before = used()
    const began = performance.now()
    const result = await generateLoad({
      url: server.url,
      connections,
      seconds: isTail ? tailSecondsFactor * seconds : seconds,
      method: write?.method ?? 'GET',
      next: () => next(name),
    })
    const count = result['2xx']
    const elapsed = (performance.now() - began) / 1000
    return { speed: count / elapsed, latencies: result.latencies, cpu: (used() - before) / count }
  }

  const measured: Round[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const found: Partial<Record<keyof States, Figures>> = {}
    for (const name of round % 2 ? (['without', 'with'] as const) : (['with', 'without'] as const))
      found[name] = await measure(name)
    if (round > 0) measured.push(found as Round)
  }
  const ratiosOf = (key: 'speed' | 'cpu') => measured.map((round) => round.with[key] / round.without[key])
  const speedOf = (name: keyof States) => median(measured.map((round) => round[name].speed)).toFixed(0)
  const times = ratiosOf('speed').map((ratio) => 1 / ratio)
  const { ratio, spread, beside } = isTail
    ? compareTails(measured)
    : {
        ratio: median(times),
        spread: formatValueRange(times),
        beside: `${speedOf('with')}/s beside ${speedOf('without')}/s`,
      }
  return {
    goal: 'P21',
    what: `${goal}, ${what}: ${isTail ? 'with ÷ without' : 'time with ÷ without'} 13,000 blocks and 30 % private accounts`,
    figure: `${ratio.toFixed(2)} (${beside}; CPU ${median(ratiosOf('cpu')).toFixed(2)})`,
    spread,
    target: `≤ ${mostRatio}`,
    met: ratio <= mostRatio,
  }
}
