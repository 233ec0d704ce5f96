import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { Link } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { messageRequestCountQuery } from './queries.ts'

export function MessageRequestsLink() {
  const { data } = useQuery(messageRequestCountQuery)
  if (!data || (data.count === 0 && !data.hasRestricted)) return null
  return (
    <Link
      to={screenPaths.messageRequests()}
      className="mx-1 mb-1 flex min-h-12 flex-none items-center gap-3 rounded-photo px-3 font-[620] hover:bg-sunken focus-visible:rounded-photo focus-visible:-outline-offset-2"
    >
      <Inbox aria-hidden size={20} strokeWidth={2} className="flex-none text-text-2" />
      {en('Message requests', 'Solicitudes de mensaje')}
      {data.count > 0 && (
        <span className="ml-auto min-w-5 rounded-full bg-sunken px-1.5 text-center text-micro leading-[1.25rem] font-bold tabular-nums">
          {data.count > 99 ? '99+' : data.count}
        </span>
      )}
    </Link>
  )
}
