import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { sessionEnded } from './api.ts'
import { retryDelay, shouldRetry } from './retry.ts'

const cacheRetention = 5 * 60_000
/** Spec §9: what a screen that suspends, or was asked for ahead of time, has just loaded is not loaded again. */
const suspenseStaleTime = 1000

/** @param onSessionEnd called when any answer says that the session is over */
export function createQueryClient(onSessionEnd: () => void = () => {}): QueryClient {
  const onError = (error: Error) => {
    // The one line of spec §8 (reading R-03): what is shown of it, each screen says. What she cancelled did not fail.
    if (error.name !== 'AbortError') console.error(error)
    if (sessionEnded(error)) onSessionEnd()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: { gcTime: cacheRetention, retry: shouldRetry, retryDelay, staleTime: suspenseStaleTime },
      // Offline a write fails at once and says so, instead of waiting in silence.
      mutations: { retry: 0, networkMode: 'always' },
    },
  })
}
