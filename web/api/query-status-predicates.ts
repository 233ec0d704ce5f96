import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

/** Whether a first request or a retry is running and there is no data to show yet. */
export const isQueryLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

/** Whether loading failed and there is no older data to show. */
export const hasQueryFailed = (query: State): boolean => query.data === undefined && !isQueryLoading(query)
