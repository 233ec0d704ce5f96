/** Retries network errors and 5xx three times with an exponential delay, never a 4xx. */
import { ApiError } from './client.ts'

const retries = 3

export const calculateRetryDelayMs = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000)

export const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < retries && !(error instanceof ApiError && error.code >= 400 && error.code < 500)

/** Applies the same rule to requests outside the query cache. Does not retry while offline. */
export async function withRetries<Answer>(ask: () => Promise<Answer>, failures = 0): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (navigator.onLine === false || !shouldRetry(failures, error)) throw error
    await new Promise((resolve) => setTimeout(resolve, calculateRetryDelayMs(failures)))
    return withRetries(ask, failures + 1)
  }
}
