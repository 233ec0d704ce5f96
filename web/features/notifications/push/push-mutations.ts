import { useMutation, useQueryClient } from '@tanstack/react-query'
import { sendTestPushEndpoint, updateNotificationDeliveryEndpoint } from '#contract/generated-endpoints.ts'
import { en } from '#contract/language.ts'
import type { NotificationDelivery } from '#contract/notifications/notification-delivery.ts'
import type { OperationInput } from '#contract/operation.ts'
import { ApiError, callApiOperation } from '#web/api/client.ts'
import { genericErrorMessage } from '#web/api/error-message.ts'
import { describeTooManyAttempts } from '#web/api/rate-limit-message.ts'
import { toastFailure } from '#web/api/toast-failure.ts'
import { useSingleFlightMutation } from '#web/api/use-single-flight-mutation.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { notificationDeliveryQuery, pushStateQuery } from './push-queries.ts'
import { subscribeToPush, unsubscribeFromPush } from './push-subscription.ts'

export function usePushToggle() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async (on: boolean) => {
      if (on) return subscribeToPush()
      await unsubscribeFromPush()
      return 'off' as const
    },
    onSuccess: (ringing) => client.setQueryData(pushStateQuery.queryKey, ringing),
    onError: () => toastFailure(),
  })
}

/** If the push service dropped the subscription, push appears as off. */
export function useSendTestPush() {
  const client = useQueryClient()
  return useSingleFlightMutation({
    mutationFn: () => callApiOperation(sendTestPushEndpoint, {}),
    onSuccess: () =>
      toast({
        title: en('A test notification is on its way', 'Un aviso de prueba va en camino'),
        text: en('It shows up on this device in a moment.', 'Aparece en este dispositivo en un momento.'),
      }),
    onError: (error) => {
      toastFailure(describeTestFailure(error))
      if (isForgotten(error)) void client.invalidateQueries({ queryKey: pushStateQuery.queryKey })
    },
  })
}

const isForgotten = (error: Error) => error instanceof ApiError && error.type === 'push_browser_not_found'

function describeTestFailure(error: Error): string {
  if (!(error instanceof ApiError)) return genericErrorMessage
  if (error.code === 0)
    return en(
      'You are offline. Try again when you are back online.',
      'Estás sin conexión. Inténtalo cuando vuelvas a tenerla.',
    )
  if (error.code === 429) return describeTooManyAttempts(error)
  if (isForgotten(error))
    return en(
      'Push is no longer on for this device. Turn it on again.',
      'Los avisos ya no están activados en este dispositivo. Actívalos otra vez.',
    )
  if (error.type === 'push_not_taken')
    return en(
      'The push service of your browser did not answer. Try again later.',
      'El servicio de avisos de tu navegador no respondió. Inténtalo más tarde.',
    )
  return genericErrorMessage
}

/** The change is optimistic; a failure restores the previous settings. */
export function useUpdateNotificationDelivery() {
  const client = useQueryClient()
  const { queryKey } = notificationDeliveryQuery
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
      // If another change is running, the cache already shows it.
      if (client.isMutating({ mutationKey: queryKey }) === 1) client.setQueryData(queryKey, delivery)
    },
  })
}
