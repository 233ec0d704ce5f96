import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { notificationCountsQuery } from '#web/features/notifications/queries.ts'
import { unreadConversationCountQuery } from './queries.ts'

export function useUnreadTitle(): void {
  const { data: conversations = 0 } = useQuery(unreadConversationCountQuery)
  const { data: notifications } = useQuery(notificationCountsQuery)
  const count = conversations + (notifications?.unseen ?? 0)
  useEffect(() => {
    const title = document.querySelector('title')
    if (!title || count === 0) return
    const mark = `(${count}) `
    const show = () => {
      if (!document.title.startsWith(mark)) document.title = mark + document.title
    }
    // Every screen sets the title without the counts.
    const observer = new MutationObserver(show)
    observer.observe(title, { childList: true })
    show()
    return () => {
      observer.disconnect()
      if (document.title.startsWith(mark)) document.title = document.title.slice(mark.length)
    }
  }, [count])
}
