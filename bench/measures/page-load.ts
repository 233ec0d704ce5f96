/** Goals P14 and P15: a first visit, painting Home compared with static HTML, and going back to a long feed. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { type Browser, type BrowserContext, chromium, type Response } from '@playwright/test'
import { createHttpTransport } from '#api-client/http-transport.ts'
import { createApiClient } from '#api-client/member-client.ts'
import { createPostOperation } from '#contract/posts/posts.ts'
import { findChromium } from '#scripts/find-chromium.ts'
import { measureWebBundleSizes } from '#scripts/web-bundle-size.ts'
import { createBenchSessionCookie, openBenchDatabasePool } from '../environment/bench-databases.ts'
import { sampleReaderKeys } from '../environment/generate-dataset.ts'
import { startProductServer } from '../environment/start-processes.ts'
import {
  type BenchmarkDefinition,
  type BenchmarkResult,
  formatValueRange,
  median,
} from '../report/results.ts'
import { measureBackNavigation } from './back-navigation.ts'
import { createPhoneSizedJpeg } from './image-uploads.ts'

const rounds = Number(process.env.BENCH_ROUNDS ?? 7)
const size = { members: 1_000, posts: 20_000 }
const pictures = 20
const mostLayoutShift = 0.02

export const pageLoadBenchmark: BenchmarkDefinition = {
  goals: ['P14', 'P15'],
  async run() {
    await using stage = await openBenchDatabasePool()
    const url = await stage.copyOf(size)
    const cookie = await createBenchSessionCookie(url, sampleReaderKeys.usual)
    await using server = await startProductServer(url)
    await using browser = await chromium.launch({
      executablePath: findChromium(),
      args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    })
    const member = createApiClient(createHttpTransport(server.url), cookie)
    const bytes = await createPhoneSizedJpeg()
    for (let n = 0; n < pictures; n += 1) {
      const imageId = await member.upload(bytes)
      await member.call(createPostOperation, {
        caption: `Picture ${n}`,
        location: 'Valencia',
        tags: ['mar'],
        imageId,
      })
    }
    const home = await member.request('GET', '/v1/feed')
    return [...weights(home.raw), ...(await paints(browser, server.url, cookie))]
  },
}

function weights(home: Buffer): BenchmarkResult[] {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
  const finding = (what: string, bytes: number, limit: number): BenchmarkResult => ({
    goal: 'P14',
    what,
    figure: kilobytes(bytes),
    target: `≤ ${limit / 1000} kB`,
    met: bytes <= limit,
  })
  const built = (measureWebBundleSizes() ?? []).map(({ what, bytes, limit }) =>
    finding(what.includes('fonts') ? what : `first load of ${what}, JS + CSS gzipped`, bytes, limit),
  )
  return [...built, finding('home JSON, gzipped', gzipSync(home).length, 8000)]
}

type Paint = { first: number; largest: number; shift: number }

async function paints(browser: Browser, url: string, cookie: string): Promise<BenchmarkResult[]> {
  const [name = '', value = ''] = cookie.split('=')
  const context = async () => {
    const fresh = await browser.newContext({ viewport: { width: 1440, height: 1000 } })
    await fresh.addCookies([{ name, value, url }])
    await fresh.addInitScript(observePaints)
    return fresh
  }
  const still = await staticCopy(await context(), url)
  const shiftOfExplore: number[] = []
  const measured: { ours: Paint; theirs: Paint }[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const ours = await paintOf(await context(), url)
    const theirs = await paintOf(await context(), still.url)
    if (round > 0) measured.push({ ours, theirs })
    shiftOfExplore.push((await paintOf(await context(), new URL('/explore', url).href)).shift)
  }
  still.close()
  const strangers = await strangersAsked(await context(), url)
  const returning = await measureBackNavigation(await context(), url, rounds)
  const finding = (what: string, key: 'first' | 'largest', most: number): BenchmarkResult => {
    const ratios = measured.map(({ ours, theirs }) => ours[key] / theirs[key])
    const [ours, theirs] = (['ours', 'theirs'] as const).map((of) =>
      median(measured.map((round) => round[of][key])).toFixed(0),
    )
    return {
      goal: 'P15',
      what: `${what} of home ÷ a static page with the same HTML`,
      figure: `${median(ratios).toFixed(2)} (${ours} ms beside ${theirs} ms)`,
      spread: formatValueRange(ratios),
      target: `≤ ${most}`,
      met: median(ratios) <= most,
    }
  }
  const shift = (of: string, values: number[]): BenchmarkResult => ({
    goal: 'P15',
    what: `layout shift of ${of}, the most of all rounds`,
    figure: Math.max(...values).toFixed(3),
    target: `≤ ${mostLayoutShift}`,
    met: Math.max(...values) <= mostLayoutShift,
  })
  return [
    finding('first contentful paint', 'first', 2),
    finding('largest contentful paint', 'largest', 1.2),
    shift(
      'home',
      measured.map(({ ours }) => ours.shift),
    ),
    shift('explore', shiftOfExplore),
    {
      goal: 'P14',
      what: 'requests of a first visit to home to hosts other than its own',
      figure: `${strangers.length}`,
      target: '0',
      met: strangers.length === 0,
    },
    ...returning,
  ]
}

async function strangersAsked(context: BrowserContext, url: string): Promise<string[]> {
  const page = await context.newPage()
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(url, { waitUntil: 'networkidle' })
  await context.close()
  return asked.filter(
    (address) => /^(https?|wss?):/.test(address) && new URL(address).host !== new URL(url).host,
  )
}

function observePaints(): void {
  const seen = { first: 0, largest: 0, shift: 0 }
  Object.assign(window, { seen })
  const observe = (type: string, learn: (entry: PerformanceEntry & { value?: number }) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(learn)).observe({ type, buffered: true })
  observe('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.first = entry.startTime
  })
  observe('largest-contentful-paint', (entry) => {
    seen.largest = entry.startTime
  })
  observe('layout-shift', (entry) => {
    seen.shift += entry.value ?? 0
  })
}

async function paintOf(context: BrowserContext, url: string): Promise<Paint> {
  const page = await context.newPage()
  await page.goto(url, { waitUntil: 'networkidle' })
  const paint = await page.evaluate(() => (window as unknown as { seen: Paint }).seen)
  await context.close()
  return paint
}

async function staticCopy(context: BrowserContext, url: string) {
  const page = await context.newPage()
  const kept: Promise<[string, { type: string; body: Buffer }] | null>[] = []
  page.on('response', (response) => kept.push(keep(response)))
  await page.goto(url, { waitUntil: 'networkidle' })
  page.removeAllListeners('response')
  const files = new Map((await Promise.all(kept)).filter((entry) => entry !== null))
  const html = (await page.content())
    .replaceAll(/<script\b.*?<\/script>/gs, '')
    .replaceAll(/<link[^>]*rel="modulepreload"[^>]*>/g, '')
  await context.close()
  const server = createServer((request, response) => {
    const file = files.get(request.url ?? '')
    if (request.url === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html)
    else if (file) response.writeHead(200, { 'content-type': file.type }).end(file.body)
    else response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, close: () => server.close() }
}

async function keep(response: Response) {
  const kinds = ['stylesheet', 'image', 'font']
  if (!response.ok() || !kinds.includes(response.request().resourceType())) return null
  const { pathname, search } = new URL(response.url())
  const body = await response.body().catch(() => null)
  const type = (await response.headerValue('content-type')) ?? ''
  return body && ([pathname + search, { type, body }] as [string, { type: string; body: Buffer }])
}
