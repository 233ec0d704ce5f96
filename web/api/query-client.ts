import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSessionEndedError } from './client.ts'
import { calculateRetryDelayMs, shouldRetry } from './retry.ts'

const cacheRetentionMs = 5 * 60_000
/** Keeps prefetched data from loading again at once. */
const staleAfterMs = 1000

/** Screens show a missing record or an invalid id, so these errors are not logged. */
const isMissing = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 404 || (error.field ?? '').endsWith('Id'))

/** @param onSessionEnd called when any response shows that the session has ended */
export function createQueryClient(onSessionEnd: () => void = () => {}): QueryClient {
  const onError = (error: Error) => {
    // Screens decide what to show. A cancelled request is not a failure.
    if (error.name !== 'AbortError') console.error(error)
    if (isSessionEndedError(error)) onSessionEnd()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isMissing(error) || onError(error) }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        gcTime: cacheRetentionMs,
        retry: shouldRetry,
        retryDelay: calculateRetryDelayMs,
        staleTime: staleAfterMs,
      },
      // Writes fail immediately while offline, instead of pausing silently.
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}
