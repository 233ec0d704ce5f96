import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

/** Says whether there is nothing to show yet and a request is running: the first one, or one after a failure. */
export const isQueryLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

/** Says whether loading failed with nothing to show. A failure that left older data does not count. */
export const hasQueryFailed = (query: State): boolean => query.data === undefined && !isQueryLoading(query)
