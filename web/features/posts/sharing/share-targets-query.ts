import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { listShareTargetsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { peopleQueryKeys } from '#web/api/query-keys.ts'

/** People matching `term`, or recent contacts if it is empty. */
export const shareTargetsQuery = (postId: string, term: string) =>
  queryOptions({
    queryKey: peopleQueryKeys.shareTargets(postId, term),
    queryFn: async ({ signal }) =>
      (await callApiOperation(listShareTargetsEndpoint, { postId, ...(term && { term }) }, signal)).documents,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
