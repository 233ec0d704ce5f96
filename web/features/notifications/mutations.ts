/** Changes of the marks of notifications and of what is switched off: shown at once, and taken back when they fail. */

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
import { notificationQueryKeys } from '#web/api/query-keys.ts'
import { toast } from '#web/ui/toast/toast-store.ts'

const toastFailure = () =>
  toast({ title: 'Error', text: 'Something went wrong. Please try again.', kind: 'destructive' })

/** Loads lists and counts again, also those on their way: they may have been read before the change. */
export const refreshNotifications = (client: QueryClient): Promise<void> =>
  invalidateQueriesIncludingLoading(client, notificationQueryKeys.all)

/** Marks everything up to a number as seen, which empties the badge. What fails is marked with the next look. */
export async function markNotificationsSeen(client: QueryClient, upTo: number): Promise<void> {
  try {
    await callApiOperation(markNotificationsSeenEndpoint, { upTo })
    await client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
  } catch {
    // The badge stays.
  }
}

type Marked = OperationInput<typeof markNotificationsReadEndpoint>

/** Marks notifications as read on the way to what they are about. What fails leaves the dot. */
export async function markNotificationsRead(client: QueryClient, marked: Marked): Promise<void> {
  try {
    await callApiOperation(markNotificationsReadEndpoint, marked)
    await refreshNotifications(client)
  } catch {
    // The dot stays.
  }
}

/** Marks all notifications up to a number as read. */
export function useMarkAllRead() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (upTo: number) => callApiOperation(markNotificationsReadEndpoint, { upTo }),
    onSuccess: () => refreshNotifications(client),
    onError: toastFailure,
  })
}

type Choice = OperationInput<typeof updateNotificationPreferencesEndpoint>

/** Switches kinds of notifications on or off. */
export function useUpdateNotificationPreferences() {
  const client = useQueryClient()
  const key = notificationQueryKeys.preferences
  return useMutation({
    mutationFn: (choice: Choice) => callApiOperation(updateNotificationPreferencesEndpoint, choice),
    onMutate: ({ kinds, enabled }) => {
      const before = client.getQueryData<NotificationPreferences>(key)
      client.setQueryData<NotificationPreferences>(key, (preferences) => {
        if (!preferences) return
        const others = preferences.off.filter((kind) => !kinds.includes(kind))
        return { off: enabled ? others : [...others, ...kinds] }
      })
      return before
    },
    onError: (_error, _choice, before) => {
      client.setQueryData(key, before)
      toastFailure()
    },
    onSuccess: (preferences) => {
      client.setQueryData(key, preferences)
      void client.invalidateQueries({ queryKey: notificationQueryKeys.lists })
      void client.invalidateQueries({ queryKey: notificationQueryKeys.counts })
    },
  })
}
