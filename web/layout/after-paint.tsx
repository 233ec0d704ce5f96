import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'

const Live = lazy(async () => ({ default: (await import('./live-updates.ts')).LiveUpdates }))
const Badge = lazy(async () => ({
  default: (await import('#web/features/chat/unread-badge.tsx')).UnreadBadge,
}))

export const LiveUpdates = () => <AfterPaint part={<Live />} />
export const UnreadBadge = () => <AfterPaint part={<Badge />} />

/** What no first page waits for (reading W-04): its code is asked for once the page stands. */
function AfterPaint({ part }: { part: ReactNode }) {
  const [painted, setPainted] = useState(false)
  useEffect(() => setPainted(true), [])
  return painted && <Suspense>{part}</Suspense>
}
