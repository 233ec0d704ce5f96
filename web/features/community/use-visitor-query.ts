import { useCallback, useEffect, useState } from 'react'
import type { QueryViewState } from '#web/ui/query-view.tsx'

/**
 * The query library is too large for a visitor's first page.
 * @param load must be stable
 */
export function useVisitorQuery<Data>(
  load: (signal?: AbortSignal) => Promise<Data>,
): QueryViewState<Data> & { error: unknown } {
  const [state, setState] = useState<{ data?: Data; error?: unknown }>()
  const run = useCallback(
    (left?: AbortSignal) => {
      setState(undefined)
      load(left).then(
        (data) => setState({ data }),
        (error) => left?.aborted || setState({ error }),
      )
    },
    [load],
  )
  useEffect(() => {
    const left = new AbortController()
    run(left.signal)
    return () => left.abort()
  }, [run])
  const isLoading = state === undefined
  return {
    data: state?.data,
    error: state?.error,
    isPending: isLoading,
    isFetching: isLoading,
    isRefetchError: false,
    refetch: () => run(),
  }
}
