import { queryOptions } from '@tanstack/react-query'
import { getExportEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'

/** Milliseconds between polls while the server gathers the data. */
const pollMs = 2000

export const exportQuery = queryOptions({
  queryKey: [...settingsQueryKeys.all, 'export'],
  queryFn: ({ signal }) => callApiOperation(getExportEndpoint, {}, signal),
  refetchInterval: ({ state }) => (state.data?.export?.state === 'gathering' ? pollMs : false),
  // Never cached: deleting a photo elsewhere silently outdates the export.
  staleTime: 0,
})
