/** Goals P16–P18. Lists the pages' indexes and draws docs/images/growth.svg. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { explorePageSize, listPageSize } from '#contract/limits.ts'
import { projectRootPath } from '#scripts/run-tool.ts'
import { encodeCursor } from '#server/store/pagination.ts'
import {
  formatDatasetSize,
  openBenchDatabasePool,
  queryBenchDatabase,
} from '../environment/bench-databases.ts'
import { listIndexesUsedByRequest } from '../environment/explain-request-queries.ts'
import {
  type DatasetSize,
  publicIdBuilders,
  sampleReaderKeys,
  sampleSearchTerms,
} from '../environment/generate-dataset.ts'
import {
  type PageTimes,
  type ServerWithDataset,
  scaleDatasetSize,
  startServerWithDataset,
  type TimedPage,
  timePagesInterleaved,
} from '../environment/time-pages-by-dataset-size.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'
import { renderSvgLineChart } from '../report/svg-chart.ts'

const steps = (process.env.BENCH_STEPS ?? '1,3,10,30,100').split(',').map(Number)
const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const requestsARound = 12
const deepPage = 1000

type Page = TimedPage & { curve: boolean }

/**
 * Searches for the rarest word that fills a page, and for a prefix of eleven names. Every size has equally many
 * results.
 */
async function pagesOf(url: string, { members }: DatasetSize): Promise<Page[]> {
  const [rare] = await queryBenchDatabase<{ word: string }>(
    url,
    `select word from posts, regexp_split_to_table(caption, ' ') as word where group_id is null
     group by word having count(distinct id) >= $1 order by count(*) limit 1`,
    [listPageSize],
  )
  const [last] = await queryBenchDatabase<{ public_id: string; at: Date }>(
    url,
    `select public_id, updated_at as at from (
       select * from posts order by updated_at desc, id desc offset $1 limit 100) deep
     where group_id is null limit 1`,
    [(deepPage - 1) * explorePageSize],
  )
  const cursor = last ? encodeCursor(last.public_id, last.at) : ''
  const usual = { member: sampleReaderKeys.usual, curve: false }
  const page = (name: string, path: string) => ({ name, path: `/v1${path}`, ...usual, curve: true })
  const search = (kind: keyof typeof sampleSearchTerms) => `/v1/search/posts?term=${sampleSearchTerms[kind]}`
  return [
    page('home', '/feed'),
    page('explore', '/explore'),
    { name: `explore, page ${deepPage}`, path: `/v1/explore?cursor=${encodeURIComponent(cursor)}`, ...usual },
    { ...page('search', ''), path: search('usual') },
    { name: 'search, a word of most', path: search('common'), ...usual },
    { name: 'search, a rare word', path: `/v1/search/posts?term=${rare?.word}`, ...usual },
    { name: 'search, no such word', path: search('none'), ...usual },
    page('profile', `/people/${publicIdBuilders.member(2)}`),
    page('posts of a profile', `/people/${publicIdBuilders.member(2)}/posts`),
    { name: 'saved', path: '/v1/saved', ...usual },
    { name: 'liked', path: '/v1/liked', ...usual },
    page('thread', `/conversations/${publicIdBuilders.conversation(1)}/messages`),
    {
      name: 'search people',
      path: `/v1/search/people?term=member${'7'.repeat(String(members).length - 2)}`,
      ...usual,
    },
    { name: 'home of one who follows 10', path: '/v1/feed', member: sampleReaderKeys.few, curve: false },
    { name: 'home of one who follows 5,000', path: '/v1/feed', member: sampleReaderKeys.many, curve: false },
    {
      name: 'home of one whose 3 are dormant',
      path: '/v1/feed',
      member: sampleReaderKeys.dormant,
      curve: false,
    },
  ]
}

type Place = ServerWithDataset<Page>

export const datasetScalingBenchmark: BenchmarkDefinition = {
  goals: ['P16', 'P17', 'P18'],
  async run() {
    await using stage = await openBenchDatabasePool()
    await using servers = new AsyncDisposableStack()
    const places: Place[] = []
    for (const step of steps) {
      const url = await stage.dataset(scaleDatasetSize(step))
      const place = await startServerWithDataset(url, step, await pagesOf(url, scaleDatasetSize(step)))
      servers.use(place.server)
      places.push(place)
    }
    const last = places.at(-1) as Place
    const url = await stage.dataset(last.size)
    const indexes = new Map<string, string>()
    for (const { name, path, member } of last.pages)
      indexes.set(name, await listIndexesUsedByRequest(url, last.cookies.get(member) ?? '', path))
    const times = await timePagesInterleaved(places, { rounds, requests: requestsARound })
    draw(places, times)
    return findingsOf(places, times, indexes)
  },
}

function findingsOf(places: Place[], times: PageTimes, indexes: Map<string, string>): BenchmarkResult[] {
  const findings: BenchmarkResult[] = []
  const [first, last] = [0, places.length - 1]
  const ratio = (over: number[], under: number[]) => over.map((value, round) => value / (under[round] ?? 1))
  const of = (name: string, place: number) => times.get(name)?.[place] ?? []
  const add = (goal: string, what: string, ratios: number[], most: number | null, beside: string) => {
    const figure = `${median(ratios).toFixed(2)} (${beside})`
    const target = most === null ? 'reported' : `≤ ${most}`
    findings.push({
      goal,
      what,
      figure,
      spread: formatValueRange(ratios),
      target,
      met: most === null ? null : median(ratios) <= most,
    })
  }
  const ms = (name: string, place: number) => median(of(name, place)).toFixed(1)
  const { size, step } = places[last] as Place
  for (const [name] of times) {
    if (name.startsWith('home of')) continue
    const beside = `${ms(name, last)} ms beside ${ms(name, first)}; ${indexes.get(name)}`
    add(
      'P16',
      `${name}: p50 with ${formatDatasetSize(size)} ÷ with a ${step}th of it`,
      ratio(of(name, last), of(name, first)),
      1.5,
      beside,
    )
  }
  const ten = 'home of one who follows 10'
  for (const [name, most] of [
    ['home', null],
    ['home of one who follows 5,000', 30],
    ['home of one whose 3 are dormant', 3],
  ] as const)
    add(
      'P17',
      `${name === 'home' ? 'home of one who follows 200' : name}: p50 ÷ of one who follows 10`,
      ratio(of(name, last), of(ten, last)),
      most,
      `${ms(name, last)} ms beside ${ms(ten, last)}`,
    )
  const deep = `explore, page ${deepPage}`
  add(
    'P18',
    `${deep}: p50 ÷ page 1, ${formatDatasetSize(size)}`,
    ratio(of(deep, last), of('explore', last)),
    1.5,
    `${ms(deep, last)} ms beside ${ms('explore', last)}`,
  )
  return findings
}

function draw(places: Place[], times: PageTimes): void {
  const curves = (places[0]?.pages ?? [])
    .filter(({ curve }) => curve)
    .map(({ name }) => {
      const base = median(times.get(name)?.[0] ?? [])
      return { name, values: (times.get(name) ?? []).map((byRound) => median(byRound) / base) }
    })
  const labels = places.map(({ step }) => `${step}×`)
  writeFileSync(
    join(projectRootPath, 'docs/images/growth.svg'),
    renderSvgLineChart({ title: 'p50 as the community grows, ÷ the smallest', labels, curves, goal: 1.5 }),
  )
}
