import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { unreadConversationCountQuery } from '#web/features/chat/queries.ts'
import { notificationCountsQuery } from '#web/features/notifications/queries.ts'

export function useAppBadge(): void {
  const { data: conversations } = useQuery(unreadConversationCountQuery)
  const { data: notifications } = useQuery(notificationCountsQuery)
  useEffect(() => {
    if (conversations === undefined || notifications === undefined) return
    const count = conversations + notifications.unseen
    const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
    // Setting a badge fails if the app is not installed.
    shown?.catch(() => {})
  }, [conversations, notifications])
}
