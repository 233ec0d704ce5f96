import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { CheckCheck, Settings } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { en } from '#contract/language.ts'
import { type NotificationFilter, notificationFilterSchema } from '#contract/notifications/notifications.ts'
import { useSignedInMember } from '#web/features/account/signed-in-member.ts'
import { screenPaths } from '#web/paths.ts'
import { PersonSkeleton } from '#web/ui/avatar-with-name.tsx'
import { IconButton, IconLink } from '#web/ui/button.tsx'
import { cx } from '#web/ui/cx.ts'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { LoadMore } from '#web/ui/load-more.tsx'
import { PageTitle } from '#web/ui/page-title.tsx'
import { QueryView } from '#web/ui/query-view.tsx'
import { markNotificationsSeen, useMarkAllRead } from './mutations.ts'
import { collapseLikeBursts, groupNotificationsByDay } from './notification-grouping.ts'
import { NotificationRow } from './notification-row.tsx'
import { notificationCountsQuery, notificationsQuery } from './queries.ts'

const tabs: readonly { only: NotificationFilter; label: string }[] = [
  { only: 'all', label: en('All', 'Todo') },
  { only: 'unread', label: en('Unread', 'Sin leer') },
  { only: 'requests', label: en('Requests', 'Solicitudes') },
]

/** Viewing clears the badge on all the member's devices. */
export function NotificationsScreen() {
  const me = useSignedInMember()
  const client = useQueryClient()
  const [search, setSearch] = useSearchParams()
  const only = notificationFilterSchema.safeParse(search.get('only')).data ?? 'all'
  const query = useInfiniteQuery(notificationsQuery(only))
  const { data: counts } = useQuery(notificationCountsQuery)
  const markAllRead = useMarkAllRead()
  const newest = query.data?.pages[0]?.documents[0]?.seq ?? 0
  const unseen = counts?.unseen ?? 0
  const marked = useRef(0)
  useEffect(() => {
    // A cached list may lack notifications that the badge counts.
    if (unseen === 0 || only !== 'all' || newest <= marked.current) return
    marked.current = newest
    void markNotificationsSeen(client, newest)
  }, [client, unseen, newest, only])
  return (
    <div className="mx-auto max-w-[640px]">
      <div className="mx-1 mb-3 flex items-center">
        <div className="min-w-0 flex-1">
          <PageTitle title={en('Notifications', 'Novedades')} />
        </div>
        <IconButton
          label={en('Mark all as read', 'Marcar todo como leído')}
          aria-busy={markAllRead.isPending || undefined}
          onClick={() => newest > 0 && markAllRead.mutate(newest)}
        >
          <CheckCheck size={22} strokeWidth={1.9} />
        </IconButton>
        <IconLink
          to={screenPaths.settingsPage('notifications')}
          label={en('Notification settings', 'Ajustes de novedades')}
        >
          <Settings size={22} strokeWidth={1.9} />
        </IconLink>
      </div>
      <nav aria-label={en('Which notifications', 'Qué novedades')} className="mb-4 flex flex-wrap gap-2 px-1">
        {tabs.map(({ only: tab, label }) => {
          // The badge counts unseen notifications; other numbers on the tabs would contradict it.
          const count = tab === 'requests' ? (counts?.requests ?? 0) : 0
          return (
            <button
              key={tab}
              type="button"
              aria-pressed={tab === only}
              onClick={() => setSearch(tab === 'all' ? {} : { only: tab }, { replace: true })}
              className={cx(
                'min-h-11 rounded-full px-4 text-label font-[640] focus-visible:rounded-full',
                tab === only ? 'bg-brand-soft text-brand-text' : 'bg-sunken text-text-2 hover:bg-border',
              )}
            >
              {label}
              {count > 0 && ` ${count > 99 ? '99+' : count}`}
            </button>
          )
        })}
      </nav>
      <QueryView
        query={query}
        skeleton={<RowsSkeleton />}
        noticeClassName="mb-3.5"
        isEmpty={({ pages }) => pages.every(({ documents }) => documents.length === 0) && !query.hasNextPage}
        empty={
          <div className="card">
            <EmptyState
              title={en('Nothing new', 'Nada nuevo')}
              text={en(
                'You’ll see comments, likes, followers and requests here.',
                'Aquí verás comentarios, me gusta, seguidoras y solicitudes.',
              )}
            />
          </div>
        }
      >
        {({ pages }) => (
          <>
            {groupNotificationsByDay(
              collapseLikeBursts(pages.flatMap(({ documents }) => documents)),
              new Date(),
            ).map(([day, rows]) => (
              <Day key={day} name={day}>
                {rows.map((row) => (
                  <NotificationRow key={row.$id} notification={row} me={me.$id} />
                ))}
              </Day>
            ))}
            <LoadMore query={query} what={en('notifications', 'novedades')} />
            {!query.hasNextPage && (
              <p className="py-4 text-center text-label text-text-2">
                {en('Notifications are kept for 90 days.', 'Las novedades se guardan 90 días.')}
              </p>
            )}
          </>
        )}
      </QueryView>
    </div>
  )
}

function Day({ name, children }: { name: string; children: React.ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mb-3">
      <h2 id={id} className="px-2 py-2 text-label font-[680] text-text-2">
        {name}
      </h2>
      <ul>{children}</ul>
    </section>
  )
}

function RowsSkeleton() {
  return (
    <div className="px-3">
      {['a', 'b', 'c', 'd'].map((row) => (
        <PersonSkeleton key={row} avatar="size-12" className="py-3.5" />
      ))}
    </div>
  )
}
