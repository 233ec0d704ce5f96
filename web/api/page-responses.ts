import { pageResponsesId } from '#contract/prefetch-paths.ts'
import { prefetchApiGet } from './client.ts'

/**
 * Takes the responses that the server wrote into the page (decision 0234). Removes them from the page, which would
 * otherwise still contain the member's data after signing out.
 */
export function takePageResponses(): void {
  const element = document.getElementById(pageResponsesId)
  if (!element) return
  element.remove()
  const responses: Record<string, unknown> = JSON.parse(element.textContent)
  for (const [path, response] of Object.entries(responses))
    void prefetchApiGet(path, Promise.resolve(response))
}
