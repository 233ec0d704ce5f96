import { ApiError } from './client.ts'

export const isTransientError = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 0 || error.code >= 500 || error.code === 429)
