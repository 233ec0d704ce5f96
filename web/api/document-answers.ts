import { documentAnswersId } from '#contract/prefetch-paths.ts'
import { prefetchApiGet } from './client.ts'

/**
 * Takes the answers that the server wrote into the page (decision 0234). Removes them from the page, which would
 * otherwise contain a member's data after they sign out.
 */
export function takeDocumentAnswers(): void {
  const element = document.getElementById(documentAnswersId)
  if (!element) return
  element.remove()
  const answers: Record<string, unknown> = JSON.parse(element.textContent)
  for (const [path, answer] of Object.entries(answers)) void prefetchApiGet(path, Promise.resolve(answer))
}
