/** Loads parts of the member layout after the first paint, to keep the first page's code small. */
import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyBackgroundTasksAndOverlays = lazyPart(
  async () => (await import('./background-tasks-and-overlays.tsx')).BackgroundTasksAndOverlays,
)

export const LazyUnreadConversationsBadge = lazyPart(
  async () => (await import('./navigation-badges.tsx')).UnreadConversationsBadge,
)

const Bell = lazyPart(async () => (await import('./navigation-badges.tsx')).NotificationBell)

/** Its place is kept until it is there. */
export const LazyNotificationBell = () => (
  <span className="size-11 flex-none">
    <Bell />
  </span>
)

const Pull = lazyPart(async () => (await import('./pull-to-refresh.tsx')).PullToRefresh)

/** On screens with lists, where there are fingers. */
export const LazyPullToRefresh = () => matchMedia('(pointer: coarse)').matches && <Pull />
