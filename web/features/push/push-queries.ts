/** How the member is told outside of Juntas, and whether this browser rings. */
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  getNotificationDeliveryEndpoint,
  getPushEndpoint,
  updateNotificationDeliveryEndpoint,
} from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { NotificationDelivery } from '#contract/notifications/notification-delivery.ts'
import type { OperationInput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { ringingQueryKey } from '#web/api/query-keys.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { readRinging, turnOff, turnOn } from './browser-subscription.ts'

export const deliveryQuery = queryOptions({
  queryKey: ['notification-delivery'],
  queryFn: ({ signal }) => callApiOperation(getNotificationDeliveryEndpoint, {}, signal),
})

export const ringingQuery = queryOptions({
  queryKey: ringingQueryKey,
  queryFn: async ({ signal }) => {
    const { available, endpoint } = await callApiOperation(getPushEndpoint, {}, signal)
    return available ? readRinging(endpoint) : ('unsupported' as const)
  },
})

const toastFailure = () =>
  toast({
    title: en('Error', 'Error'),
    text: genericErrorMessage,
    kind: 'destructive',
  })

/** Turns this browser on or off. */
export function useRinging() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return turnOn()
      await turnOff()
      return 'off' as const
    },
    onSuccess: (ringing) => client.setQueryData(ringingQuery.queryKey, ringing),
    onError: toastFailure,
  })
}

/** Changes some of how the member is told: shown at once, and taken back when it fails. */
export function useUpdateDelivery() {
  const client = useQueryClient()
  const { queryKey } = deliveryQuery
  return useMutation({
    mutationKey: queryKey,
    scope: { id: 'notification-delivery' },
    mutationFn: (changes: OperationInput<typeof updateNotificationDeliveryEndpoint>) =>
      callApiOperation(updateNotificationDeliveryEndpoint, changes),
    onMutate: async (changes) => {
      await client.cancelQueries({ queryKey })
      const before = client.getQueryData(queryKey)
      client.setQueryData(queryKey, (known) => known && ({ ...known, ...changes } as NotificationDelivery))
      return before
    },
    onError: (_error, _changes, before) => {
      client.setQueryData(queryKey, before)
      toastFailure()
    },
    onSuccess: (delivery) => {
      // A further change that waits its turn is shown already.
      if (client.isMutating({ mutationKey: queryKey }) === 1) client.setQueryData(queryKey, delivery)
    },
  })
}
