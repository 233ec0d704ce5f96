import type { BrowserContext, Page } from '@playwright/test'
import { type BenchmarkResult, formatValueRange, median } from '../report/results.ts'

const deep = 200
const mostPixels = 2
const mostMilliseconds = 100

type Return = { pixels: number; milliseconds: number }

export async function measureBackNavigation(
  context: BrowserContext,
  url: string,
  rounds: number,
): Promise<BenchmarkResult[]> {
  const page = await context.newPage()
  await page.goto(new URL('/explore', url).href)
  await scrollDown(page)
  const returns: Return[] = []
  for (let round = 0; round <= rounds; round += 1) {
    const there = await leaveAndReturn(page, deep - 1 - round)
    if (round > 0) returns.push(there)
  }
  const finding = (what: string, unit: string, values: number[], limit: number): BenchmarkResult => ({
    goal: 'P15',
    what: `Back to Explore ${deep} posts deep: ${what}`,
    figure: `${median(values).toFixed(1)} ${unit}`,
    spread: formatValueRange(values, 1),
    target: `≤ ${limit} ${unit}`,
    met: Math.max(...values) <= limit,
  })
  return [
    finding(
      'away from where the reader left it',
      'px',
      returns.map(({ pixels }) => pixels),
      mostPixels,
    ),
    finding(
      'until it is painted there',
      'ms',
      returns.map(({ milliseconds }) => milliseconds),
      mostMilliseconds,
    ),
  ]
}

async function scrollDown(page: Page): Promise<void> {
  const tiles = page.getByRole('main').getByRole('listitem')
  await tiles.first().waitFor()
  while ((await tiles.count()) < deep) {
    const before = await tiles.count()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await tiles.nth(before).waitFor()
  }
  await page.waitForLoadState('networkidle')
}

async function leaveAndReturn(page: Page, place: number): Promise<Return> {
  const link = page.getByRole('main').getByRole('listitem').nth(place).getByRole('link')
  await link.scrollIntoViewIfNeeded()
  const address = (await link.getAttribute('href')) ?? ''
  const top = await link.evaluate((element) => element.getBoundingClientRect().top)
  await link.click()
  await page.getByRole('button', { name: 'Back' }).waitFor()
  await page.waitForLoadState('networkidle')
  return page.evaluate(
    async ([address, top, enough]) => {
      const frame = () => new Promise(requestAnimationFrame)
      const began = performance.now()
      history.back()
      for (;;) {
        await frame()
        const left = document.querySelector(`main li a[href="${address}"]`)
        const pixels = left ? Math.abs(left.getBoundingClientRect().top - top) : Number.POSITIVE_INFINITY
        const milliseconds = performance.now() - began
        if (pixels <= enough || (left && milliseconds > 1000)) return { pixels, milliseconds }
      }
    },
    [address, top, mostPixels] as const,
  )
}
