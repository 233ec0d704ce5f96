/** These parts load after the first paint, so the first page stays small. */
import { lazyPart } from '#web/navigation/lazy-part.tsx'

export const LazyBackgroundTasksAndOverlays = lazyPart(
  async () => (await import('./background-tasks-and-overlays.tsx')).BackgroundTasksAndOverlays,
)

export const LazyUnreadConversationsBadge = lazyPart(
  async () => (await import('./navigation-badges.tsx')).UnreadConversationsBadge,
)

const Bell = lazyPart(async () => (await import('./navigation-badges.tsx')).NotificationBell)

/** The wrapper reserves space for the bell. */
export const LazyNotificationBell = () => (
  <span className="size-11 flex-none">
    <Bell />
  </span>
)

const Pull = lazyPart(async () => (await import('./pull-to-refresh.tsx')).PullToRefresh)

export const LazyPullToRefresh = () => matchMedia('(pointer: coarse)').matches && <Pull />
