import { useQuery } from '@tanstack/react-query'
import { en } from '#contract/language.ts'
import { unreadConversationCountQuery } from './queries.ts'

export function UnreadConversationsBadge() {
  const { data: count = 0 } = useQuery(unreadConversationCountQuery)
  if (count === 0) return null
  return (
    <span className="count-badge">
      <span className="sr-only">
        {en('unread conversations: ', 'conversaciones sin leer: ')}
        {count}
      </span>
      <span aria-hidden="true" className="max-md:hidden">
        {count > 99 ? '99+' : count}
      </span>
      <span aria-hidden="true" className="md:hidden">
        {count > 9 ? '9+' : count}
      </span>
    </span>
  )
}
