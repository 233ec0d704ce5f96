import { queryOptions } from '@tanstack/react-query'
import { getDeletionPlanEndpoint } from '#contract/generated-endpoints.ts'
import type { OperationOutput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'

export type DeletionPlan = OperationOutput<typeof getDeletionPlanEndpoint>

export const deletionPlanQuery = queryOptions({
  queryKey: [...settingsQueryKeys.all, 'deletion'],
  queryFn: ({ signal }) => callApiOperation(getDeletionPlanEndpoint, {}, signal),
  // Never cached: many other screens change the counts.
  staleTime: 0,
})
