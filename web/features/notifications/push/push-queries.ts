import { queryOptions } from '@tanstack/react-query'
import {
  getNotificationDeliveryEndpoint,
  getPushSubscriptionEndpoint,
} from '#contract/generated-endpoints.ts'
import { callApiOperation } from '#web/api/client.ts'
import { pushStateQueryKey } from '#web/api/query-keys.ts'
import { detectPushState } from './push-subscription.ts'

export const notificationDeliveryQuery = queryOptions({
  queryKey: ['notification-delivery'],
  queryFn: ({ signal }) => callApiOperation(getNotificationDeliveryEndpoint, {}, signal),
})

export const pushStateQuery = queryOptions({
  queryKey: pushStateQueryKey,
  queryFn: async ({ signal }) => {
    const { available, endpoint } = await callApiOperation(getPushSubscriptionEndpoint, {}, signal)
    return available ? detectPushState(endpoint) : ('unsupported' as const)
  },
})
