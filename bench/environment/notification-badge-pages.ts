import { setTimeout as pause } from 'node:timers/promises'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { findChromium } from '#scripts/find-chromium.ts'
import { epochMilliseconds } from './poll-until-pictures-refused.ts'

const timeoutMs = 10_000

/** Times in milliseconds since 1970. */
function watchBadgeFromWithin(): void {
  const shown: [number: number, since: number][] = []
  let pressedAt = 0
  const at = () => performance.timeOrigin + performance.now()
  const look = () => {
    const text = [...document.querySelectorAll('.count-badge .sr-only')]
      .map(({ textContent }) => textContent ?? '')
      .find((found) => found.startsWith('unread notifications: '))
    const number = Number(text?.split(': ')[1] ?? 0)
    if (shown.at(-1)?.[0] !== number) shown.push([number, at()])
  }
  look()
  new MutationObserver(look).observe(document, { childList: true, subtree: true, characterData: true })
  addEventListener(
    'pointerdown',
    () => {
      pressedAt = at()
      performance.clearResourceTimings()
    },
    true,
  )
  const seenAt = () => {
    const marks = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/seen'))
    return (
      performance.timeOrigin + ((marks.at(-1) as PerformanceResourceTiming | undefined)?.responseEnd ?? 0)
    )
  }
  Object.assign(globalThis, { badge: () => ({ shown, pressedAt, seenAt: seenAt() }) })
}

type BadgeMoments = { shown: [number: number, since: number][]; pressedAt: number; seenAt: number }
type BadgeWindow = { badge(): BadgeMoments }
const readBadge = (page: Page) => page.evaluate(() => (globalThis as unknown as BadgeWindow).badge())

/** @returns when a page first showed the number; infinite if it never did */
async function shownSince(page: Page, number: number): Promise<number> {
  const began = epochMilliseconds()
  while (epochMilliseconds() - began < timeoutMs) {
    const last = (await readBadge(page)).shown.at(-1)
    if (last?.[0] === number) return last[1]
    await pause(50)
  }
  return Number.POSITIVE_INFINITY
}

/** Disposal closes the browser. */
export type NotificationBadgePages = AsyncDisposable & {
  /** @returns when the last of the pages showed the number */
  allShowSince(number: number): Promise<number>
  lookAtNotifications(): Promise<{ pressedAt: number; seenAt: number; goneSince: number }>
  closeNotifications(): Promise<void>
}

/** Two tabs that share a socket on a desktop, and one page on a phone. @param cookies two sessions of the member */
export async function openNotificationBadgePages(
  serverUrl: string,
  [desktopCookie = '', phoneCookie = '']: readonly string[],
): Promise<NotificationBadgePages> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const open = async (cookie: string, viewport: { width: number; height: number }) => {
    const context = await browser.newContext({ baseURL: serverUrl, viewport, locale: 'en-US' })
    const [name = '', value = ''] = cookie.split('=')
    await context.addCookies([{ name, value: decodeURIComponent(value), url: serverUrl }])
    await context.addInitScript(watchBadgeFromWithin)
    return context
  }
  const desktop = await open(desktopCookie, { width: 1440, height: 1000 })
  const phone = await open(phoneCookie, { width: 390, height: 844 })
  const pages = [await openSaved(desktop), await openSaved(phone), await openSaved(desktop)]
  let turn = -1
  const allShowSince = async (number: number) =>
    Math.max(...(await Promise.all(pages.map((page) => shownSince(page, number)))))
  return {
    allShowSince,
    async lookAtNotifications() {
      turn += 1
      const page = pages[turn % pages.length] as Page
      await bellOf(page).click()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      const goneSince = await allShowSince(0)
      const { pressedAt, seenAt } = await readBadge(page)
      return { pressedAt, seenAt, goneSince }
    },
    async closeNotifications() {
      const page = pages[turn % pages.length] as Page
      await page.goBack()
      await page.getByRole('heading', { name: 'Saved Posts' }).waitFor()
    },
    [Symbol.asyncDispose]: () => browser.close(),
  }
}

const bellOf = (page: Page) =>
  page.getByRole('link', { name: 'Notifications', exact: true }).filter({ visible: true }).first()

async function openSaved(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/saved')
  await bellOf(page).waitFor()
  return page
}
