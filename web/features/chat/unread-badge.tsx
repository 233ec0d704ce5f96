import { useQuery } from '@tanstack/react-query'
import { unreadQuery } from './queries.ts'

/** How many conversations have a dot, on the entry that leads to them (conflict C-16). */
export function UnreadBadge() {
  const { data: count = 0 } = useQuery(unreadQuery)
  if (count === 0) return null
  return (
    <span className="count-badge">
      <span className="sr-only">unread conversations: {count}</span>
      <span aria-hidden="true" className="max-md:hidden">
        {count > 99 ? '99+' : count}
      </span>
      <span aria-hidden="true" className="md:hidden">
        {count > 9 ? '9+' : count}
      </span>
    </span>
  )
}
