import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

/** Whether there is nothing to show yet while a request runs, the first or a retry. */
export const isQueryLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

/** Whether loading failed without older data to show. */
export const hasQueryFailed = (query: State): boolean => query.data === undefined && !isQueryLoading(query)
