import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

/** A first request or a retry without data to show. */
export const isQueryLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

/** Without older data to show. */
export const hasQueryFailed = (query: State): boolean => query.data === undefined && !isQueryLoading(query)
