import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { matchPath, useLocation } from 'react-router'
import { screenRoutes } from '#web/paths.ts'
import { markNotificationsRead } from './mutations.ts'
import { notificationCountsQuery } from './queries.ts'

/** Marks what is about a post or a group as read when its page is opened, whichever way led there. */
export function useReadVisitedNotifications(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const { data } = useQuery(notificationCountsQuery)
  const hasUnread = (data?.unread ?? 0) > 0
  const postId = matchPath(screenRoutes.post.path, pathname)?.params.postId
  const groupId = matchPath(screenRoutes.group.path, pathname)?.params.groupId
  useEffect(() => {
    if (!hasUnread) return
    // Everything up to now: what comes while the page is open is there to see.
    const upTo = Number.MAX_SAFE_INTEGER
    if (postId) void markNotificationsRead(client, { upTo, postId })
    else if (groupId) void markNotificationsRead(client, { upTo, groupId })
  }, [client, hasUnread, postId, groupId])
}
