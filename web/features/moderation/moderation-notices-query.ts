/** The moderation notices that the member has not confirmed. */
import { queryOptions } from '@tanstack/react-query'
import { listModerationNoticesEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'

/**
 * Milliseconds. The notices reload on the first page that the member visits after this time, so that warnings appear
 * promptly.
 */
const staleTime = 3_000

export const moderationNoticesQuery = queryOptions({
  queryKey: ['moderation-notices'],
  queryFn: ({ signal }) => callApiOperation(listModerationNoticesEndpoint, {}, signal),
  staleTime,
})
