/** The member's copy of everything: how far it is. */
import { queryOptions } from '@tanstack/react-query'
import { getExportEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'

/** Between two looks while a copy is gathered. */
const pollMs = 2000

export const exportQuery = queryOptions({
  queryKey: [...settingsQueryKeys.all, 'export'],
  queryFn: ({ signal }) => callApiOperation(getExportEndpoint, {}, signal),
  refetchInterval: ({ state }) => (state.data?.export?.state === 'gathering' ? pollMs : false),
  // Of photos that are deleted elsewhere nothing is told here.
  staleTime: 0,
})
