import { lazy, Suspense } from 'react'
import { waitForNextPaint } from '#web/ui/next-paint.ts'

const Tasks = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./background-tasks.ts')).MemberBackgroundTasks }
})
const Badge = lazy(async () => {
  await waitForNextPaint()
  return {
    default: (await import('#web/features/chat/unread-conversations-badge.tsx')).UnreadConversationsBadge,
  }
})

const Pull = lazy(async () => {
  await waitForNextPaint()
  return { default: (await import('./pull-to-refresh.tsx')).PullToRefresh }
})

/** Loads after the first paint, to keep the first page's code small. */
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

/** On screens with lists, where there are fingers. */
export const LazyPullToRefresh = () =>
  matchMedia('(pointer: coarse)').matches && (
    <Suspense>
      <Pull />
    </Suspense>
  )
