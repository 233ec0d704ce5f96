import { ApiError } from './client.ts'

/** No answer, 5xx, or rate limited. */
export const isTransientError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code >= 500 || error.code === 429)
