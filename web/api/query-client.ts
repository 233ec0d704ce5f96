import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError, isSessionEndedError } from './client.ts'
import { calculateRetryDelayMs, shouldRetry } from './retry.ts'

const cacheRetentionMs = 5 * 60_000
/** How long data counts as fresh (ms): what was prefetched or loaded while suspended is not loaded twice. */
const staleAfterMs = 1000

/** What was looked for is not there, or its id cannot be one: an answer that the screen shows, and no failure. */
const isMissing = (error: Error): boolean =>
  error instanceof ApiError && (error.code === 404 || (error.field ?? '').endsWith('Id'))

/** @param onSessionEnd called when any answer says that the session is over */
export function createQueryClient(onSessionEnd: () => void = () => {}): QueryClient {
  const onError = (error: Error) => {
    // Logs every failure once; the screen decides what to show. A cancelled request did not fail.
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
      // Fails writes at once while offline, instead of pausing them silently.
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}
