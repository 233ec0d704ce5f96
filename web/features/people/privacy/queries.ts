import { queryOptions } from '@tanstack/react-query'
import { getPrivacySettingsEndpoint } from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { privacyQueryKeys } from '#web/api/query-keys.ts'

export const privacySettingsQuery = queryOptions({
  queryKey: privacyQueryKeys.settings,
  queryFn: ({ signal }) => callApiOperation(getPrivacySettingsEndpoint, {}, signal),
})
