import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { unreadConversationCountQuery } from '#web/features/chat/queries.ts'
import { notificationCountsQuery } from '#web/features/notifications/queries.ts'

/** Shows on the icon of the installed app how much is unseen: notifications, and conversations with something to read. */
export function useAppBadge(): void {
  const { data: conversations } = useQuery(unreadConversationCountQuery)
  const { data: notifications } = useQuery(notificationCountsQuery)
  useEffect(() => {
    if (conversations === undefined || notifications === undefined) return
    const count = conversations + notifications.unseen
    const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
    // A page that is not installed may have no icon to put it on.
    shown?.catch(() => {})
  }, [conversations, notifications])
}
