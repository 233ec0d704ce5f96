/** Holds back and records what a page asks of the server. */
import type { Page } from '@playwright/test'

/** The bodies of what is sent to a path, as they are sent. */
export function collectRequestBodies(page: Page, path: string): string[] {
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === path) sent.push(request.postData() ?? '')
  })
  return sent
}

/** Keeps requests waiting. @returns what lets them go */
export async function holdRequestsToUrl(page: Page, url: string): Promise<() => void> {
  const held = Promise.withResolvers<void>()
  await page.route(url, async (route) => {
    await held.promise
    await route.continue()
  })
  return held.resolve
}
