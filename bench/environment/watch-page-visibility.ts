import type { BrowserContext, Page } from '@playwright/test'
import type { CachingProxy } from '#scripts/harness/caching-proxy.ts'
import { epochMilliseconds, pause } from './poll-until-pictures-refused.ts'

/** Milliseconds without being seen until the content counts as hidden. */
const quietMilliseconds = 300
export const visibilityTimeoutMs = 10_000

/** Words in the page's text, and ids in its picture URLs. */
export type WatchedContent = { words: string[]; files: string[] }

/** `list` is the path of a page that links to the post. */
type WatchedPost = { postId: string; list: string; watched: WatchedContent }

export function startVisibilityWatchInPage(): void {
  const isShown = ({ words, files }: WatchedContent): boolean => {
    const visible = (element: Element | null) =>
      element?.checkVisibility({ visibilityProperty: true }) ?? false
    for (const image of document.querySelectorAll('img'))
      if (files.some((id) => image.src.includes(id)) && visible(image)) return true
    if (!document.body || words.length === 0) return false
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode as Text
      if (words.some((word) => data.includes(word)) && visible(parentElement)) return true
    }
    return false
  }
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sessionStorage.setItem('restored', 'yes')
  })
  setInterval(() => {
    const watched = sessionStorage.getItem('watched')
    if (watched === null || !isShown(JSON.parse(watched))) return
    sessionStorage.setItem('seen', String(performance.timeOrigin + performance.now()))
  }, 50)
}

async function waitUntilSeen(page: Page, watched: WatchedContent): Promise<void> {
  await page.evaluate((given) => {
    sessionStorage.removeItem('seen')
    sessionStorage.setItem('watched', given)
  }, JSON.stringify(watched))
  await page.waitForFunction(() => sessionStorage.getItem('seen') !== null)
}

export async function openPageAndWaitUntilShown(
  context: BrowserContext,
  path: string,
  watched: WatchedContent,
): Promise<Page> {
  const page = await context.newPage()
  await page.goto(path)
  await waitUntilSeen(page, watched)
  return page
}

/** @returns the time when the content was last visible */
export async function waitForLastSeenTime(page: Page): Promise<number> {
  const began = epochMilliseconds()
  for (;;) {
    // While the browser leaves a page, the page does not answer.
    const seen = await page
      .evaluate(() => Number(sessionStorage.getItem('seen')))
      .catch(() => epochMilliseconds())
    if (epochMilliseconds() - seen > quietMilliseconds || epochMilliseconds() - began > visibilityTimeoutMs)
      return seen
    await pause(20)
  }
}

/** Steps through the history from within the page, which the browser may then discard. */
async function step(page: Page, by: number, address: string): Promise<void> {
  await page.evaluate((by) => void setTimeout(() => history.go(by)), by)
  await page.waitForURL((url) => url.href === address, { waitUntil: 'commit', timeout: visibilityTimeoutMs })
  await page.getByRole('main').getByRole('heading').first().waitFor()
}

/** Opens list, post and another page without reloading, then goes twice back and once forward. */
export async function browseBackAndForwardWithinSite(
  context: BrowserContext,
  { list, postId, watched }: WatchedPost,
) {
  const page = await openPageAndWaitUntilShown(context, list, watched)
  const from = page.url()
  await page.getByRole('main').locator(`a[href="/posts/${postId}"]`).first().click()
  await page.waitForURL(`**/posts/${postId}`)
  const post = page.url()
  await waitUntilSeen(page, watched)
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: /^People/ })
    .click()
  await page.waitForURL((url) => url.href !== post)
  return {
    goBackAndForward: () => goBackTwiceAndForward(page, post, from),
  }
}

async function goBackTwiceAndForward(page: Page, post: string, before: string): Promise<number> {
  await step(page, -1, post)
  await step(page, -1, before)
  await step(page, 1, post)
  return waitForLastSeenTime(page)
}

/** Opens another site, the post and another site, then goes twice back and once forward. */
export async function browseBackAndForwardBetweenSites(
  context: BrowserContext,
  { postId, watched }: Omit<WatchedPost, 'list'>,
  proxy: CachingProxy,
) {
  const elsewhere = `${proxy.url.replace('localhost', '127.0.0.1')}/sign-in`
  const post = `${proxy.url}/posts/${postId}`
  const page = await context.newPage()
  await page.goto(elsewhere)
  await page.goto(post)
  await waitUntilSeen(page, watched)
  await page.goto(elsewhere)
  return {
    goBackAndForward: () => goBackTwiceAndForward(page, post, elsewhere),
    wasRestored: () => page.evaluate(() => sessionStorage.getItem('restored') === 'yes'),
  }
}

export async function openPictureUrlThenAnotherSite(
  context: BrowserContext,
  address: string,
  proxy: CachingProxy,
) {
  const page = await context.newPage()
  await page.goto(address)
  await page.locator('img').waitFor()
  await page.goto(`${proxy.url.replace('localhost', '127.0.0.1')}/sign-in`)
  return {
    async goBack(): Promise<number> {
      await page.evaluate(() => void setTimeout(() => history.back()))
      const began = epochMilliseconds()
      let seen = 0
      while (epochMilliseconds() - began < visibilityTimeoutMs) {
        const asked = epochMilliseconds()
        const shows = await page
          .evaluate(() => [location.pathname, document.images.length > 0, document.body?.innerText] as const)
          .catch(() => null)
        if (shows?.[0] !== new URL(address, proxy.url).pathname) continue
        if (shows[1]) seen = asked
        else if (shows[2]?.includes('storage_file_not_found')) return seen
      }
      return epochMilliseconds()
    },
  }
}
