import { queryOptions } from '@tanstack/react-query'
import { listModerationNoticesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** Milliseconds. Short, so that the next page shows warnings promptly. */
const staleTime = 3_000

export const moderationNoticesQuery = queryOptions({
  queryKey: ['moderation-notices'],
  queryFn: ({ signal }) => callApiOperation(listModerationNoticesEndpoint, {}, signal),
  staleTime,
})
