import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { unreadConversationCountQuery } from '#web/features/chat/queries.ts'
import { notificationCountsQuery } from '#web/features/notifications/queries.ts'

/** Shows the number of unseen notifications and unread conversations on the icon of the installed app. */
export function useAppBadge(): void {
  const { data: conversations } = useQuery(unreadConversationCountQuery)
  const { data: notifications } = useQuery(notificationCountsQuery)
  useEffect(() => {
    if (conversations === undefined || notifications === undefined) return
    const count = conversations + notifications.unseen
    const shown = count > 0 ? navigator.setAppBadge?.(count) : navigator.clearAppBadge?.()
    // Setting the badge fails if the app is not installed, so the error is ignored.
    shown?.catch(() => {})
  }, [conversations, notifications])
}
