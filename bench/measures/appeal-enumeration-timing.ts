/**
 * Attack M24: sign-ins with a wrong password for unknown addresses and for open, closed and suspended
 * accounts, in turn.
 */
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient, signUpAndSignIn } from '#api-client/member-client.ts'
import { appealSuspensionOperation } from '#contract/moderation/moderation-notices-and-appeals.ts'
import { openBenchDatabasePool, queryBenchDatabase } from '../environment/bench-databases.ts'
import { startProductServer } from '../environment/start-processes.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const size = { members: 1_000, posts: 20_000 }
const kinds = ['unknown', 'open', 'closed', 'suspended'] as const
type Kind = (typeof kinds)[number]
const orders = ordersOf(kinds)
const turns = 4
/** The largest ratio between a kind's median and an unknown address's, in either direction. */
const most = 1.1

export const appealEnumerationTimingBenchmark: BenchmarkDefinition = {
  goals: ['M24'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    await using server = await startProductServer(url)
    const transport = createHttpTransport(server.url)
    const address = (kind: Kind) => `${kind}@guesses.test`
    for (const kind of kinds.slice(1)) {
      const [name, password] = ['Luz Guesses', 'una clave larga y propia']
      await signUpAndSignIn(transport, { name, username: `luz${kind}`, email: address(kind), password })
    }
    await queryBenchDatabase(
      url,
      `with gone as (update accounts set status = 'blocked' where email = any($1) returning id, email)
       insert into suspensions (account_id, reason, reopens) select id, 'Buscas a una persona', true from gone where email = $2`,
      [[address('closed'), address('suspended')], address('suspended')],
    )

    const visitor = createApiClient(transport, '')
    const timeOfAttempt = async (kind: Kind): Promise<number> => {
      const began = performance.now()
      const { status } = await visitor.ask(appealSuspensionOperation, {
        ...{ email: address(kind), password: 'no es su clave', text: 'Era una broma' },
      })
      if (status !== 401) throw new Error(`An attempt for an ${kind} address was answered ${status}`)
      return performance.now() - began
    }
    const measured: Record<Kind, number>[] = []
    for (let round = 0; round <= rounds; round += 1) {
      const times: Record<Kind, number[]> = { unknown: [], open: [], closed: [], suspended: [] }
      for (let turn = 0; turn < turns; turn += 1)
        for (const kind of orders.flat()) times[kind].push(await timeOfAttempt(kind))
      if (round > 0)
        measured.push({
          ...{ unknown: median(times.unknown), open: median(times.open) },
          ...{ closed: median(times.closed), suspended: median(times.suspended) },
        })
    }
    return kinds.slice(1).map((kind): BenchmarkResult => {
      const ratios = measured.map((round) => round[kind] / round.unknown)
      const [ms, unknown] = [kind, 'unknown' as const].map((of) =>
        median(measured.map((round) => round[of])).toFixed(1),
      )
      const ratio = median(ratios)
      return {
        goal: 'M24',
        what: `wrong password at a review, address ${kind} ÷ unknown`,
        figure: `${ratio.toFixed(3)} (${ms} ms beside ${unknown} ms)`,
        spread: formatValueRange(ratios, 3),
        target: `≤ ${most} either way`,
        met: Math.max(ratio, 1 / ratio) <= most,
      }
    })
  },
}

function ordersOf<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]]
  return all.flatMap((one) => ordersOf(all.filter((other) => other !== one)).map((rest) => [one, ...rest]))
}
