/**
 * Marks notifications and changes preferences. Changed preferences appear immediately, and a failure restores the
 * previous state.
 */
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

/** Reloads the lists and the counts. Running requests restart, because their answers may be older than the change. */
export const refreshNotifications = (client: QueryClient): Promise<void> =>
  invalidateQueriesIncludingLoading(client, notificationQueryKeys.all)

/**
 * Marks all notifications up to a number as seen, which clears the badge. After a failure, the next visit tries again.
 */
export async function markNotificationsSeen(client: QueryClient, upTo: number): Promise<void> {
  try {
    await callApiOperation(markNotificationsSeenEndpoint, { upTo })
    await client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
  } catch {
    // The badge stays until the next visit.
  }
}

type Marked = OperationInput<typeof markNotificationsReadEndpoint>

/** Marks notifications as read when the member opens them. After a failure, their dots stay. */
export async function markNotificationsRead(client: QueryClient, marked: Marked): Promise<void> {
  try {
    await callApiOperation(markNotificationsReadEndpoint, marked)
    await refreshNotifications(client)
  } catch {
    // The dot stays until the next attempt.
  }
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

/**
 * Returns the preferences with the given kinds taken from `source`. Other kinds stay, because another request may be
 * changing them.
 */
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
