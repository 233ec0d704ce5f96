/** Attack D09: another member's wait during the most expensive lists, and a search while eight members send them. */
import { setTimeout as pause } from 'node:timers/promises'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { publicIdBuilders } from '../environment/generate-dataset.ts'
import { measureUnderBackgroundLoad } from '../environment/load-generator.ts'
import { startProductServer } from '../environment/start-processes.ts'
import { type BenchmarkDefinition, formatValueRange, quantile } from '../report/results.ts'

const size = { members: 2_000, posts: 100_000 }
const rounds = Number(process.env.BENCH_ROUNDS ?? 3)
const connections = 10
/** Milliseconds per list. The rate limit ends it sooner. */
const milliseconds = Number(process.env.BENCH_SECONDS ?? 4) * 1000
const searchesBeside = 20
const pauseMs = 20

const documents = (...queries: string[]) =>
  `/v1/databases/main/collections/posts/documents?${queries.map((query) => `queries[]=${encodeURIComponent(query)}`).join('&')}`
const contains = (letter: string) => ({ method: 'contains', attribute: 'caption', values: [letter] })
const hundred = (make: (n: number) => string) =>
  JSON.stringify(Array.from({ length: 100 }, (_, n) => make(n)))

/** @param n the number of the list of this kind */
const expensiveLists: Record<string, (n: number) => string> = {
  'search in documents': (n) => documents(`search("caption", ["${'aeiou'[n % 5]}"])`, 'limit(100)'),
  'texts that begin so': (n) => documents(`startsWith("caption", ["zz${n}"])`),
  'texts that end so': (n) => documents(`endsWith("caption", ["zz${n}"])`),
  'any of ten letters': () =>
    documents(JSON.stringify({ method: 'or', values: [...'жшщюяэъыїє'].map(contains) })),
  'posts of a hundred creators, far away': () =>
    documents(
      `equal("creator", ${hundred((n) => publicIdBuilders.member(n + 1))})`,
      'limit(100)',
      'offset(5000)',
    ),
  'all but eighteen captions': (n) =>
    documents(...Array.from({ length: 18 }, (_, m) => `notEqual("caption", ["${n} ${m}"])`), 'limit(100)'),
  'a list that is refused': (n) =>
    documents(
      ...Array.from({ length: 18 }, () => `notEqual("caption", ${hundred((m) => `${n}-${m}`)})`),
    ).slice(0, 7_900),
}

const sortedByText = documents('orderAsc("caption")')
const senders = 8
/** The most lists that a member may have in progress. */
const connectionsOfSender = 4

const reads = ['/v1/feed', '/v1/me', '/v1/explore', '/v1/notifications/counts', '/v1/people']

export const readsBesideExpensiveListsBenchmark: BenchmarkDefinition = {
  goals: ['D09'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    // Rate limits do not apply to local requests, except those that a proxy forwards.
    await using server = await startProductServer(url, { LIMITS: 'on' })
    const clientOf = async (member: number, address: string) => {
      const { request } = createApiClient(
        createHttpTransport(server.url),
        await createBenchSessionCookie(url, member),
      )
      return (path: string) => request('GET', path, undefined, { 'x-forwarded-for': address })
    }
    let readers = 0
    /** Reads as a new member each time, which avoids rate limits. */
    const readAlong = async () => {
      readers += 1
      const read = await clientOf(1000 + readers, `198.51.100.${readers}`)
      const taken: number[] = []
      const until = performance.now() + milliseconds
      for (let n = 0; performance.now() < until; n += 1) {
        const began = performance.now()
        const { status } = await read(reads[n % reads.length] ?? '')
        if (status !== 200) throw new Error(`${reads[n % reads.length]} answered ${status}`)
        taken.push(performance.now() - began)
        await pause(pauseMs)
      }
      return taken
    }
    const searchBesideEight = async () => {
      const sending = await Promise.all(
        Array.from({ length: senders }, (_, n) => clientOf(500 + n, `203.0.113.${100 + n}`)),
      )
      const search = await clientOf(600, '198.51.100.250')
      return measureUnderBackgroundLoad(
        async (goesOn) => {
          const one = async (send: (path: string) => Promise<{ status: number }>) => {
            while (goesOn() && (await send(sortedByText)).status !== 429);
          }
          await Promise.all(
            sending.flatMap((send) => Array.from({ length: connectionsOfSender }, () => one(send))),
          )
        },
        async () => {
          const taken: number[] = []
          for (let n = 0; n < searchesBeside; n += 1) {
            const began = performance.now()
            const { status } = await search(`/v1/search/posts?term=${'aeiou'[n % 5]}${n}`)
            taken.push(status === 200 ? performance.now() - began : Number.POSITIVE_INFINITY)
            await pause(pauseMs)
          }
          return taken
        },
      )
    }
    const alone: number[] = []
    const beside: Record<string, number[]> = {}
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, [what, list]] of Object.entries(expensiveLists).entries()) {
        const without = await readAlong()
        const send = await clientOf(round * 10 + index + 1, '203.0.113.7')
        const answers: Record<number, number> = {}
        let sent = 0
        const under = await measureUnderBackgroundLoad(async (goesOn) => {
          const one = async () => {
            while (goesOn() && !answers[429]) {
              sent += 1
              const { status } = await send(list(sent))
              answers[status] = (answers[status] ?? 0) + 1
            }
          }
          await Promise.all(Array.from({ length: connections }, one))
        }, readAlong)
        console.error(what, answers, quantile(without, 0.99).toFixed(0), quantile(under, 0.99).toFixed(0))
        if (round === 0) continue
        alone.push(...without)
        beside[what] = [...(beside[what] ?? []), ...under]
      }
    }
    const waits = Object.entries(beside).map(([what, taken]) => ({ what, p99: quantile(taken, 0.99) }))
    const [worst] = waits.toSorted((one, other) => other.p99 - one.p99)
    const p99 = worst?.p99 ?? Number.NaN
    const searches = await searchBesideEight()
    return [
      {
        goal: 'D09',
        what: `requests of another member while one sends ${waits.length} kinds of expensive lists over ${connections} connections until she is refused, p99, ms: the worst is ${worst?.what}`,
        figure: `${p99.toFixed(0)} (${quantile(alone, 0.99).toFixed(0)} alone)`,
        spread: formatValueRange(waits.map((wait) => wait.p99)),
        target: '≤ 250',
        met: p99 <= 250,
      },
      {
        goal: 'D09',
        what: `searches of another member while ${senders} send lists sorted by their texts without end, the longest, ms; Infinity where one is refused`,
        figure: Math.max(...searches).toFixed(0),
        target: '≤ 3000',
        met: Math.max(...searches) <= 3000,
      },
    ]
  },
}
