import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  countNotificationsEndpoint,
  getNotificationPreferencesEndpoint,
  listNotificationsEndpoint,
} from '#contract/generated-endpoints.ts'
import type { NotificationFilter } from '#contract/notifications/notifications.ts'
import { callApiOperation } from '#web/api/client.ts'
import { notificationPreferencesQueryKey, notificationQueryKeys } from '#web/api/query-keys.ts'

/** Newest first. */
export const notificationsQuery = (only: NotificationFilter) =>
  infiniteQueryOptions({
    queryKey: notificationQueryKeys.list(only),
    queryFn: ({ pageParam, signal }) =>
      callApiOperation(listNotificationsEndpoint, { only, cursor: pageParam }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  })

export const notificationCountsQuery = queryOptions({
  queryKey: notificationQueryKeys.counts,
  queryFn: ({ signal }) => callApiOperation(countNotificationsEndpoint, {}, signal),
})

export const notificationPreferencesQuery = queryOptions({
  queryKey: notificationPreferencesQueryKey,
  queryFn: ({ signal }) => callApiOperation(getNotificationPreferencesEndpoint, {}, signal),
})
