/** What goes on behind every page while a member is signed in, and what may come up over it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { applyThemeColor, readAppearance } from '#web/appearance/appearance.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useUnreadTitle } from '#web/features/chat/use-unread-title.ts'
import { proposeInstalling } from '#web/features/install/propose-installing.ts'
import { moderationNoticesQuery } from '#web/features/moderation/notice-query.ts'
import { useReadVisitedNotifications } from '#web/features/notifications/use-read-visited-notifications.ts'
import { reloadWhenOnline, startTasksWhenIdle } from '#web/features/offline/start-when-idle.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { withAllStyles } from '#web/styles/all-styles.ts'
import { startLiveUpdatesAndOutbox } from './live-updates.ts'
import { loadScreensWhenIdle } from './load-screens-when-idle.ts'
import { ModerationLink } from './moderation-link.tsx'

const QuickExit = lazyPart(async () => (await import('#web/features/quick-exit/quick-exit.tsx')).QuickExit)
const Notices = lazyPart(
  async () => (await import('#web/features/moderation/member-parts.ts')).ModerationNotices,
)

const loadHouseRules = withAllStyles(() => import('#web/features/community/house-rules-dialog.tsx'))
const HouseRules = lazyPart(async () => (await loadHouseRules()).HouseRulesDialog)

const PushTasks = lazyPart(async () => (await import('#web/features/push/push-tasks.tsx')).PushTasks)
const loadInstallHint = withAllStyles(() => import('#web/features/install/install-hint.tsx'))
const InstallHint = lazyPart(async () => (await loadInstallHint()).InstallHint)

/** Renders the quick exit, for whoever has turned it on, what the moderators wrote to the member, house rules that are new, the link of those who moderate, and how to install Juntas. */
export function MemberBackgroundTasks() {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(signedInMemberQuery)
  const { pathname } = useLocation()
  const { data: notices } = useQuery(moderationNoticesQuery)
  const account = me?.accountId
  const stopLiveUpdates = useRef<() => void>(undefined)
  const [isInstallProposed, setInstallProposed] = useState(false)
  useUnreadTitle()
  useReadVisitedNotifications()
  useEffect(() => {
    if (!account) return
    const stop = startLiveUpdatesAndOutbox(queryClient, account)
    stopLiveUpdates.current = stop
    return stop
  }, [queryClient, account])
  // Whoever signs out without a connection has the code that deletes what is kept.
  useEffect(() => void import('#web/features/offline/kept-data.ts').catch(() => {}), [])
  useEffect(loadScreensWhenIdle, [])
  useEffect(() => proposeInstalling(() => setInstallProposed(true)), [])
  useEffect(() => startTasksWhenIdle(queryClient), [queryClient])
  useEffect(() => reloadWhenOnline(queryClient), [queryClient])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page asks
  useEffect(
    () => void queryClient.refetchQueries({ queryKey: moderationNoticesQuery.queryKey, stale: true }),
    [queryClient, pathname],
  )
  useEffect(() => applyThemeColor(readAppearance()), [])
  return (
    <>
      <PushTasks />
      {me?.moderates && <ModerationLink />}
      {notices && notices.documents.length > 0 && <Notices notices={notices.documents} />}
      {me?.unreadHouseRules && <HouseRules version={me.unreadHouseRules} />}
      {isInstallProposed && <InstallHint onClose={() => setInstallProposed(false)} />}
      {me?.quickExit && <QuickExit {...me.quickExit} onLeave={() => stopLiveUpdates.current?.()} />}
    </>
  )
}
