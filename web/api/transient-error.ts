import { ApiError } from './client.ts'

/** Whether a retry may succeed: the server did not answer, returned 5xx, or limited the request rate. */
export const isTransientError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code >= 500 || error.code === 429)
