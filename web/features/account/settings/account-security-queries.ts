import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getAccountSettingsEndpoint,
  listDevicesEndpoint,
  listSecurityEventsEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { settingsQueryKeys } from '#web/api/query-keys.ts'

export const accountSettingsQuery = queryOptions({
  queryKey: settingsQueryKeys.account,
  queryFn: ({ signal }) => callApiOperation(getAccountSettingsEndpoint, {}, signal),
})

export const devicesQuery = queryOptions({
  queryKey: settingsQueryKeys.devices,
  queryFn: ({ signal }) => callApiOperation(listDevicesEndpoint, {}, signal),
})

export const securityEventsQuery = infiniteQueryOptions({
  queryKey: settingsQueryKeys.events,
  queryFn: ({ pageParam, signal }) =>
    callApiOperation(listSecurityEventsEndpoint, { cursor: pageParam }, signal),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next }) => next,
})
