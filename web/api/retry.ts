/** Retries: never after a 4xx answer; network errors and 5xx three times, with exponential delay. */
import { ApiError } from './client.ts'

const retries = 3

export const calculateRetryDelayMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000)

export const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < retries && !(error instanceof ApiError && error.code >= 400 && error.code < 500)

/** Retries a request outside the query cache by the same rule, and not at all while the browser knows of no connection. */
export async function withRetries<Answer>(ask: () => Promise<Answer>, failures = 0): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (navigator.onLine === false || !shouldRetry(failures, error)) throw error
    await new Promise((resolve) => setTimeout(resolve, calculateRetryDelayMs(failures)))
    return withRetries(ask, failures + 1)
  }
}
