import { documentAnswersId } from '#contract/prefetch-paths.ts'
import { prefetchApiGet } from './client.ts'

/**
 * Takes the answers that the server wrote into the page (decision 0234). Removes the answers from the page, which would
 * otherwise still contain the member's data after signing out.
 */
export function takeDocumentAnswers(): void {
  const element = document.getElementById(documentAnswersId)
  if (!element) return
  element.remove()
  const answers: Record<string, unknown> = JSON.parse(element.textContent)
  for (const [path, answer] of Object.entries(answers)) void prefetchApiGet(path, Promise.resolve(answer))
}
