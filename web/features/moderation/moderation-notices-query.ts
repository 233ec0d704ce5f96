import { queryOptions } from '@tanstack/react-query'
import { listModerationNoticesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** The time is short, so that warnings appear on the next page. */
const staleTime = 3_000

export const moderationNoticesQuery = queryOptions({
  queryKey: ['moderation-notices'],
  queryFn: ({ signal }) => callApiOperation(listModerationNoticesEndpoint, {}, signal),
  staleTime,
})
