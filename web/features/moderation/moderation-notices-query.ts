/** Queries what the moderators told the member, until it is read. */
import { queryOptions } from '@tanstack/react-query'
import { listModerationNoticesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** It is asked for again when a page opens and this much (ms) has passed: a warning stands over the very next page. */
const staleTime = 3_000

export const moderationNoticesQuery = queryOptions({
  queryKey: ['moderation-notices'],
  queryFn: ({ signal }) => callApiOperation(listModerationNoticesEndpoint, {}, signal),
  staleTime,
})
