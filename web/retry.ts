/** Spec §9 and conflict C-46: an answer that refuses is final; silence and a broken server are asked three times more. */
import { ApiError } from './api.ts'

const retries = 3

export const retryDelay = (attempt: number): number => Math.min(1000 * 2 ** attempt, 30_000)

export const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < retries && !(error instanceof ApiError && error.code >= 400 && error.code < 500)

/** For what is asked outside the query cache. */
export async function retrying<Answer>(ask: () => Promise<Answer>, failures = 0): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (!shouldRetry(failures, error)) throw error
    await new Promise((resolve) => setTimeout(resolve, retryDelay(failures)))
    return retrying(ask, failures + 1)
  }
}
