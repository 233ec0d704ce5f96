/** Unread moderation notices. */
import { queryOptions } from '@tanstack/react-query'
import { listModerationNoticesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/** Reloaded on each new page after this time (ms), so that warnings appear promptly. */
const staleTime = 3_000

export const moderationNoticesQuery = queryOptions({
  queryKey: ['moderation-notices'],
  queryFn: ({ signal }) => callApiOperation(listModerationNoticesEndpoint, {}, signal),
  staleTime,
})
