import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSessionEndedError } from './client.ts'
import { calculateRetryDelayMs, shouldRetry } from './retry.ts'

const cacheRetentionMs = 5 * 60_000
/** Milliseconds that data counts as fresh, so that prefetched data is not loaded twice. */
const staleAfterMs = 1000

/** A missing record or an impossible id: the screen shows it, so it is no failure. */
const isMissing = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 404 || (error.field ?? '').endsWith('Id'))

/** @param onSessionEnd called when any answer says that the session is over */
export function createQueryClient(onSessionEnd: () => void = () => {}): QueryClient {
  const onError = (error: Error) => {
    // Logs each failure once; screens decide what to show. Cancelled requests did not fail.
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
      // Fails writes at once while offline, instead of silently pausing them.
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}
