import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { matchPath, useLocation } from 'react-router'
import { screenRoutes } from '#contract/screen-routes.ts'
import { useIsPageVisible } from '#web/navigation/use-is-page-visible.ts'
import { markNotificationsRead } from './mutations.ts'
import { notificationCountsQuery } from './queries.ts'

export function useMarkVisitedNotificationsRead(): void {
  const client = useQueryClient()
  const { pathname } = useLocation()
  const { data } = useQuery(notificationCountsQuery)
  const unread = data?.unread ?? 0
  const isVisible = useIsPageVisible()
  const postId = matchPath(screenRoutes.post.path, pathname)?.params.postId
  const isForm = matchPath(screenRoutes.createGroup.path, pathname) !== null
  const groupId = isForm ? undefined : matchPath(screenRoutes.group.path, pathname)?.params.groupId
  useEffect(() => {
    if (unread === 0 || !isVisible) return
    const upTo = Number.MAX_SAFE_INTEGER
    if (postId) void markNotificationsRead(client, { upTo, postId })
    else if (groupId) void markNotificationsRead(client, { upTo, groupId })
  }, [client, unread, isVisible, postId, groupId])
}
