/** Attack W06: a 304 compared with a response that only identifies the caller, and reloading Home. */
import { type BrowserContext, type CDPSession, chromium, type Page } from '@playwright/test'
import autocannon from 'autocannon'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { followOperation, updateProfileOperation } from '#contract/people/people.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { findChromium } from '#scripts/find-chromium.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { sampleReaderKeys } from '../environment/generate-dataset.ts'
import { postgresMainPid, processCpuMs, processTreeCpuMs } from '../environment/resource-usage.ts'
import { startProductServer } from '../environment/start-processes.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'
import { createPhoneSizedJpeg } from './image-uploads.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 5)
const seconds = Number(process.env.BENCH_SECONDS ?? 4)
const size = { members: 1_000, posts: 20_000 }
const connections = 16
const mostCpuMs = 0.4
/** The reader follows these members. Two posts of each fill the page. */
const authors = Array.from({ length: 10 }, (_, n) => 500 + n)
/** Round-trip times in milliseconds: none, and a phone's. */
const latencies = [0, 40]

export const pictureRevalidationBenchmark: BenchmarkDefinition = {
  goals: ['W06'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.few)
    await using server = await startProductServer(url)
    await using browser = await chromium.launch({
      executablePath: findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
    const shown = await publishPictures(server.url, url, cookie)
    const paths = shown.map((id) => `/v1/files/${id}/content?width=640`)
    const results = await measureRevalidations(server, url, cookie, paths)
    for (const latency of latencies) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
      const [name = '', value = ''] = cookie.split('=')
      await context.addCookies([{ name, value, url: server.url }])
      results.push(await measureReloads(context, server.url, latency, shown))
      await context.close()
    }
    return results
  },
}

async function publishPictures(origin: string, database: string, cookie: string): Promise<string[]> {
  const reader = createApiClient(createHttpTransport(origin), cookie)
  const bytes = await createPhoneSizedJpeg()
  const shown: string[] = []
  for (const key of authors) {
    const session = await createBenchSessionCookie(database, key)
    const author = createApiClient(createHttpTransport(origin), session)
    const { $id: personId } = (await author.request<{ $id: string }>('GET', '/v1/me')).body
    const photo = await author.upload(bytes)
    await author.call(updateProfileOperation, { personId, imageId: photo })
    shown.push(photo)
    for (const caption of ['Picture one', 'Picture two']) {
      const imageId = await author.upload(bytes)
      await author.call(createPostOperation, { caption, location: 'Valencia', tags: ['mar'], imageId })
      shown.push(imageId)
    }
    await reader.call(followOperation, { personId })
  }
  return shown
}

type LoadFigures = { p50: number; p99: number; cpuEach: number }

async function measureRevalidations(
  server: { url: string; pid: number },
  databaseUrl: string,
  cookie: string,
  paths: readonly string[],
): Promise<BenchmarkResult[]> {
  const reader = createApiClient(createHttpTransport(server.url), cookie)
  const accept = 'image/webp'
  const tags = new Map<string, string>()
  for (const path of paths)
    tags.set(path, (await reader.request('GET', path, undefined, { accept })).headers.etag ?? '')
  const database = await postgresMainPid(databaseUrl)

  const load = async (asked: (turn: number) => string, status: number): Promise<LoadFigures> => {
    let turn = 0
    const setupRequest = (request: autocannon.Request): autocannon.Request => {
      turn += 1
      const path = asked(turn)
      const tag = tags.get(path)
      return { ...request, path, headers: { cookie, accept, ...(tag ? { 'if-none-match': tag } : {}) } }
    }
    const used = () => processCpuMs(server.pid) + processTreeCpuMs(database)
    const before = used()
    const { url } = server
    const result = await autocannon({
      url,
      connections,
      duration: seconds,
      // The server closes a connection after a thousand requests.
      reconnectRate: 900,
      requests: [{ setupRequest }],
    })
    const answers = Object.entries(result.statusCodeStats ?? {})
    const count = answers.find(([code]) => Number(code) === status)?.[1].count ?? 0
    if (answers.length !== 1 || count === 0) throw new Error(`answers ${JSON.stringify(answers)}`)
    const { p50, p99 } = result.latency
    return { p50, p99, cpuEach: (used() - before) / count }
  }

  const measured: { picture: LoadFigures; caller: LoadFigures }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const picture = await load((turn) => paths[turn % paths.length] ?? '', 304)
    const caller = await load(() => '/v1/me/session', 200)
    if (round > 0) measured.push({ picture, caller })
  }
  const finding = (key: keyof LoadFigures, what: string): BenchmarkResult => {
    const ratios = measured.map(({ picture, caller }) => picture[key] / caller[key])
    const [picture, caller] = (['picture', 'caller'] as const).map((of) =>
      median(measured.map((round) => round[of][key])).toFixed(2),
    )
    return {
      goal: 'W06',
      what: `304 of a picture, c${connections}, ${what} ÷ an answer that only finds the caller`,
      figure: `${median(ratios).toFixed(2)} (${picture} ms beside ${caller} ms)`,
      spread: formatValueRange(ratios),
      target: 'reported',
      met: null,
    }
  }
  const cpu = median(measured.map(({ picture }) => picture.cpuEach))
  return [
    finding('p50', 'p50'),
    finding('p99', 'p99'),
    {
      ...finding('cpuEach', 'CPU of server + PostgreSQL'),
      target: `≤ ${mostCpuMs} ms`,
      met: cpu <= mostCpuMs,
    },
  ]
}

type Reload = { requests: number; bytes: number; milliseconds: number }

/** Home is loaded to its last picture first. @param latency the round-trip time in milliseconds */
async function measureReloads(
  context: BrowserContext,
  url: string,
  latency: number,
  shown: readonly string[],
): Promise<BenchmarkResult> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: -1,
    uploadThroughput: -1,
  })
  await page.goto(url)
  await showAllPictures(page)
  const measured: Reload[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const reload = await measureReload(page, devtools, shown)
    if (round > 0) measured.push(reload)
  }
  const middle = (key: keyof Reload) => median(measured.map((reload) => reload[key]))
  const spent = measured.map(({ milliseconds }) => milliseconds)
  return {
    goal: 'W06',
    what: `home reloaded, ${latency} ms to the server and back: requests for its pictures, their bytes, and the time until the visible ones are shown`,
    figure: `${middle('requests')}, ${(middle('bytes') / 1000).toFixed(1)} kB, ${middle('milliseconds').toFixed(0)} ms`,
    spread: `${formatValueRange(spent, 0)} ms`,
    target: 'reported',
    met: null,
  }
}

async function measureReload(page: Page, devtools: CDPSession, shown: readonly string[]): Promise<Reload> {
  // The data set's own pictures have no files.
  const isPicture = (url: string) => shown.some((id) => url.includes(id))

  const pictures = new Set<string>()
  const bytes = new Map<string, number>()
  const onRequest = ({ requestId, request }: { requestId: string; request: { url: string } }) => {
    if (isPicture(request.url)) pictures.add(requestId)
  }
  // The browser sends this event only for responses from the network.
  const onNetwork = ({ requestId, headers }: { requestId: string; headers: Record<string, string> }) => {
    const head = Object.entries(headers).reduce(
      (sum, [name, value]) => sum + name.length + value.length + 4,
      0,
    )
    bytes.set(requestId, head + Number(headers['content-length'] ?? 0))
  }
  devtools.on('Network.requestWillBeSent', onRequest)
  devtools.on('Network.responseReceivedExtraInfo', onNetwork)
  await page.reload({ waitUntil: 'networkidle' })
  const ends = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map((entry) => [entry.name, (entry as PerformanceResourceTiming).responseEnd] as const),
  )
  const milliseconds = Math.max(...ends.filter(([url]) => isPicture(url)).map(([, end]) => end))
  await showAllPictures(page)
  devtools.off('Network.requestWillBeSent', onRequest)
  devtools.off('Network.responseReceivedExtraInfo', onNetwork)
  const received = [...bytes].filter(([id]) => pictures.has(id))
  return {
    requests: received.length,
    bytes: received.reduce((sum, [, bytes]) => sum + bytes, 0),
    milliseconds,
  }
}

/** Pictures load only when they come into view. */
async function showAllPictures(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate(async () => {
    for (let top = 0; top < document.body.scrollHeight; top += innerHeight / 2) {
      scrollTo(0, top)
      await new Promise(requestAnimationFrame)
    }
    scrollTo(0, 0)
  })
  await page.waitForLoadState('networkidle')
}
