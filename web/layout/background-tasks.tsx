/** What goes on behind every page while a member is signed in, and what may come up over it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router'
import { applyThemeColor, readAppearance } from '#web/appearance/appearance.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useUnreadTitle } from '#web/features/chat/use-unread-title.ts'
import { moderationNoticesQuery } from '#web/features/moderation/notice-query.ts'
import { useReadVisitedNotifications } from '#web/features/notifications/use-read-visited-notifications.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { startLiveUpdatesAndOutbox } from './live-updates.ts'
import { loadScreensWhenIdle } from './load-screens-when-idle.ts'
import { ModerationLink } from './moderation-link.tsx'

const QuickExit = lazyPart(async () => (await import('#web/features/quick-exit/quick-exit.tsx')).QuickExit)
const Notices = lazyPart(
  async () => (await import('#web/features/moderation/member-parts.ts')).ModerationNotices,
)

/** Renders the quick exit, for whoever has turned it on, what the moderators wrote to the member, and the link of those who moderate. */
export function MemberBackgroundTasks() {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(signedInMemberQuery)
  const { pathname } = useLocation()
  const { data: notices } = useQuery(moderationNoticesQuery)
  const account = me?.accountId
  const stopLiveUpdates = useRef<() => void>(undefined)
  useUnreadTitle()
  useReadVisitedNotifications()
  useEffect(() => {
    if (!account) return
    const stop = startLiveUpdatesAndOutbox(queryClient, account)
    stopLiveUpdates.current = stop
    return stop
  }, [queryClient, account])
  useEffect(loadScreensWhenIdle, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page asks
  useEffect(
    () => void queryClient.refetchQueries({ queryKey: moderationNoticesQuery.queryKey, stale: true }),
    [queryClient, pathname],
  )
  useEffect(() => applyThemeColor(readAppearance()), [])
  return (
    <>
      {me?.moderates && <ModerationLink />}
      {notices && notices.documents.length > 0 && <Notices notices={notices.documents} />}
      {me?.quickExit && <QuickExit {...me.quickExit} onLeave={() => stopLiveUpdates.current?.()} />}
    </>
  )
}
