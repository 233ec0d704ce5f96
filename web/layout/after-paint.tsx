import { lazy, Suspense } from 'react'
import { painted } from '#web/ui/painted.ts'

const Live = lazy(async () => {
  await painted()
  return { default: (await import('./live-updates.ts')).LiveUpdates }
})
const Badge = lazy(async () => {
  await painted()
  return { default: (await import('#web/features/chat/unread-badge.tsx')).UnreadBadge }
})

/** What no first page waits for (reading W-04): its code is asked for when the page stands, after its pictures. */
export const LiveUpdates = () => (
  <Suspense>
    <Live />
  </Suspense>
)

export const UnreadBadge = () => (
  <Suspense>
    <Badge />
  </Suspense>
)
