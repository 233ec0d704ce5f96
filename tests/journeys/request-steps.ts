/** Refuses, holds back and records what a page asks of the server. */
import type { Page, Route } from '@playwright/test'

export const fulfillWithUnauthorized = (route: Route) =>
  route.fulfill({ status: 401, json: { message: 'no', code: 401, type: 'general_unauthorized_scope' } })

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
