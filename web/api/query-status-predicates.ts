import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

export const isQueryLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

export const hasQueryFailed = (query: State): boolean => query.data === undefined && !isQueryLoading(query)
