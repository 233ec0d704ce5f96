/** Loads parts of the member layout after the first paint, to keep the first page's code small. */
import { lazy, Suspense } from 'react'
import { waitForNextPaint } from '#web/ui/next-paint.ts'

const Tasks = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./background-tasks.tsx')).MemberBackgroundTasks }
})
const loadBadges = async () => {
  await waitForNextPaint()
  return import('./navigation-badges.tsx')
}
const Badge = lazy(async () => ({ default: (await loadBadges()).UnreadConversationsBadge }))
const Bell = lazy(async () => ({ default: (await loadBadges()).NotificationBell }))

const Pull = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./pull-to-refresh.tsx')).PullToRefresh }
})

export const LazyBackgroundTasks = () => (
  <Suspense>
    <Tasks />
  </Suspense>
)

export const LazyUnreadConversationsBadge = () => (
  <Suspense>
    <Badge />
  </Suspense>
)

/** Its place is kept until it is there. */
export const LazyNotificationBell = () => (
  <span className="size-11 flex-none">
    <Suspense>
      <Bell />
    </Suspense>
  </span>
)

/** On screens with lists, where there are fingers. */
export const LazyPullToRefresh = () =>
  matchMedia('(pointer: coarse)').matches && (
    <Suspense>
      <Pull />
    </Suspense>
  )
