/** Preferences change optimistically; a failure restores them. */
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import {
  markNotificationsReadEndpoint,
  markNotificationsSeenEndpoint,
  updateNotificationPreferencesEndpoint,
} from '#contract/generated-endpoints.ts'
import type { NotificationPreferences } from '#contract/notifications/notification-preferences.ts'
import type { OperationInput } from '#contract/operation.ts'
import { callApiOperation } from '#web/api/client.ts'
import { invalidateQueriesIncludingLoading } from '#web/api/invalidate-including-loading.ts'
import { notificationPreferencesQueryKey, notificationQueryKeys } from '#web/api/query-keys.ts'
import { toastFailure } from '#web/api/toast-failure.ts'

/** Running requests restart, because their responses may be older than the change. */
export const refreshNotifications = (client: QueryClient): Promise<void> =>
  invalidateQueriesIncludingLoading(client, notificationQueryKeys.all)

/** Clears the badge. After a failure, the next visit tries again. */
export async function markNotificationsSeen(client: QueryClient, upTo: number): Promise<void> {
  try {
    await callApiOperation(markNotificationsSeenEndpoint, { upTo })
    await client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
  } catch {}
}

type Marked = OperationInput<typeof markNotificationsReadEndpoint>

/** After a failure, the dots stay. */
export async function markNotificationsRead(client: QueryClient, marked: Marked): Promise<void> {
  try {
    await callApiOperation(markNotificationsReadEndpoint, marked)
    await refreshNotifications(client)
  } catch {}
}

export function useMarkAllRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (upTo: number) => callApiOperation(markNotificationsReadEndpoint, { upTo }),
    onSuccess: () => refreshNotifications(client),
    onError: toastFailure,
  })
}

type Choice = OperationInput<typeof updateNotificationPreferencesEndpoint>

type OptionalKind = NotificationPreferences['off'][number]

/** Another request may be changing the other kinds. */
const takeKinds = (
  preferences: NotificationPreferences,
  kinds: readonly OptionalKind[],
  source: NotificationPreferences,
): NotificationPreferences => ({
  off: [
    ...preferences.off.filter((kind) => !kinds.includes(kind)),
    ...source.off.filter((kind) => kinds.includes(kind)),
  ],
})

export function useUpdateNotificationPreferences() {
  const client = useQueryClient()
  const key = notificationPreferencesQueryKey
  const take = (kinds: readonly OptionalKind[], source: NotificationPreferences) =>
    client.setQueryData<NotificationPreferences>(
      key,
      (preferences) => preferences && takeKinds(preferences, kinds, source),
    )
  return useMutation({
    mutationFn: (choice: Choice) => callApiOperation(updateNotificationPreferencesEndpoint, choice),
    onMutate: async ({ kinds, enabled }) => {
      await client.cancelQueries({ queryKey: key })
      const before = client.getQueryData<NotificationPreferences>(key)
      take(kinds, { off: enabled ? [] : kinds })
      return before
    },
    onError: (_error, { kinds }, before) => {
      if (before) take(kinds, before)
      toastFailure()
    },
    onSuccess: (preferences, { kinds }) => {
      take(kinds, preferences)
      void client.invalidateQueries({ queryKey: notificationQueryKeys.lists })
      void client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
    },
  })
}
