import { useQuery } from '@tanstack/react-query'
import { Bell } from 'lucide-react'
import { useId } from 'react'
import { useLocation } from 'react-router'
import { en } from '#contract/language.ts'
import { screenPaths } from '#web/paths.ts'
import { IconLink } from '#web/ui/button.tsx'
import { notificationCountsQuery } from './queries.ts'

const corner = {
  position: 'absolute',
  top: 2,
  minWidth: 17,
  padding: '0 4px',
  fontSize: 10.5,
  lineHeight: '17px',
  pointerEvents: 'none',
} as const

export function NotificationBell() {
  const { data } = useQuery(notificationCountsQuery)
  const { pathname } = useLocation()
  const countId = useId()
  const unseen = data?.unseen ?? 0
  return (
    <span className="relative block">
      <IconLink
        to={screenPaths.notifications()}
        label={en('Notifications', 'Novedades')}
        aria-current={pathname === screenPaths.notifications() ? 'page' : undefined}
        aria-describedby={unseen > 0 ? countId : undefined}
        className="aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-text"
      >
        <Bell size={22} strokeWidth={1.9} />
      </IconLink>
      {/* The count is beside the link, so that the link's accessible name does not change. */}
      {unseen > 0 && (
        <span className="count-badge" style={corner}>
          <span id={countId} className="sr-only">
            {en('unread notifications: ', 'novedades sin leer: ')}
            {unseen}
          </span>
          <span aria-hidden="true" className="xl:hidden">
            {unseen > 9 ? '9+' : unseen}
          </span>
          <span aria-hidden="true" className="max-xl:hidden">
            {unseen > 99 ? '99+' : unseen}
          </span>
        </span>
      )}
    </span>
  )
}
