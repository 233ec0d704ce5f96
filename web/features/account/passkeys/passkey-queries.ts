import { queryOptions } from '@tanstack/react-query'
import { listPasskeysEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'

export const passkeysQuery = queryOptions({
  queryKey: [...settingsQueryKeys.all, 'passkeys'],
  queryFn: ({ signal }) => callApiOperation(listPasskeysEndpoint, {}, signal),
})
