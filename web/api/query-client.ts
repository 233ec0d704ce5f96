import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSessionEndedError } from './client.ts'
import { calculateRetryDelayMs, shouldRetry } from './retry.ts'

const cacheRetentionMs = 5 * 60_000
/** Data stays fresh for this long (ms), so that prefetched data is not loaded again at once. */
const staleAfterMs = 1000

/**
 * Whether an error means that a record does not exist or its id is invalid. The screen shows this, so it is not logged
 * as a failure.
 */
const isMissing = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 404 || (error.field ?? '').endsWith('Id'))

/** @param onSessionEnd called when any answer shows that the session has ended */
export function createQueryClient(onSessionEnd: () => void = () => {}): QueryClient {
  const onError = (error: Error) => {
    // Logs each failure once; the screens decide what to show. A cancelled request is not a failure.
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
      // While the device is offline, writes fail immediately instead of being paused silently.
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}
