import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

export const waitForServiceWorker = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    if (active?.state === 'activated') return
    await new Promise((resolve) => active?.addEventListener('statechange', resolve, { once: true }))
  })

export async function openWithServiceWorker(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await waitForServiceWorker(page)
  await page.reload()
}

export const waitUntilHomeIsCached = (page: Page, posts: number): Promise<void> =>
  expect
    .poll(() =>
      page.evaluate(async () => {
        const answer = await caches.match('/kept/home.json')
        return answer ? (await answer.json()).posts.length : -1
      }),
    )
    .toBe(posts)
