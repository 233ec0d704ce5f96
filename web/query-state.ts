import type { UseQueryResult } from '@tanstack/react-query'

type State = Pick<UseQueryResult, 'data' | 'isPending' | 'isFetching'>

/** Nothing to show yet, and an answer on its way: at first, or again after a failure. */
export const isLoading = ({ data, isPending, isFetching }: State): boolean =>
  data === undefined && (isPending || isFetching)

/** Nothing to show and nothing on its way. A failure that left older data standing does not count. */
export const hasFailed = (query: State): boolean => query.data === undefined && !isLoading(query)
