import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { applyThemeColor, readAppearance } from '#web/appearance/appearance.ts'
import { signedInMemberQuery } from '#web/features/account/signed-in-member.ts'
import { useUnreadTitle } from '#web/features/chat/use-unread-title.ts'
import { moderationNoticesQuery } from '#web/features/moderation/moderation-notices-query.ts'
import { ReportOverlay } from '#web/features/moderation/report-dialog/report-overlay.tsx'
import { useMarkVisitedNotificationsRead } from '#web/features/notifications/use-mark-visited-notifications-read.ts'
import { onInstallHintDue } from '#web/features/offline/install/install-hint-trigger.ts'
import { refetchOnceServerAnswers, scheduleIdleTasks } from '#web/features/offline/schedule-idle-tasks.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'
import { pageIdleDelayMs } from '#web/page-idle-delay.ts'
import { startLiveUpdatesAndOutbox } from './live-updates.ts'
import { loadScreensWhenIdle } from './load-screens-when-idle.ts'
import { RoleLinks } from './role-links.tsx'

const QuickExit = lazyPart(async () => (await import('#web/features/quick-exit/quick-exit.tsx')).QuickExit)
const Notices = lazyPart(
  async () => (await import('#web/features/moderation/moderation-notices.tsx')).ModerationNotices,
)

const loadHouseRules = () => import('#web/features/community/house-rules-dialog.tsx')
const HouseRules = lazyPart(async () => (await loadHouseRules()).HouseRulesDialog)

const loadWelcome = () => import('#web/features/community/welcome-sheet.tsx')
const Welcome = lazyPart(async () => (await loadWelcome()).WelcomeSheet)

const PushTasks = lazyPart(
  async () => (await import('#web/features/notifications/push/push-tasks.tsx')).PushTasks,
)
const loadInstallHint = () => import('#web/features/offline/install/install-hint.tsx')
const InstallHint = lazyPart(async () => (await loadInstallHint()).InstallHint)

export function BackgroundTasksAndOverlays() {
  const queryClient = useQueryClient()
  const { data: me } = useQuery(signedInMemberQuery)
  const { pathname } = useLocation()
  const { data: notices } = useQuery(moderationNoticesQuery)
  const account = me?.accountId
  const stopLiveUpdates = useRef<() => void>(undefined)
  const [isPageAtRest, setPageAtRest] = useState(false)
  const [isInstallProposed, setInstallProposed] = useState(false)
  useUnreadTitle()
  useMarkVisitedNotificationsRead()
  useEffect(() => {
    if (!account) return
    const stop = startLiveUpdatesAndOutbox(queryClient, account)
    stopLiveUpdates.current = stop
    return stop
  }, [queryClient, account])
  // Loads early, so that a member can sign out while offline.
  useEffect(() => void import('#web/features/offline/offline-data.ts').catch(() => {}), [])
  useEffect(loadScreensWhenIdle, [])
  useEffect(() => onInstallHintDue(() => setInstallProposed(true)), [])
  useEffect(() => scheduleIdleTasks(queryClient), [queryClient])
  useEffect(() => {
    const timer = setTimeout(setPageAtRest, pageIdleDelayMs, true)
    return () => clearTimeout(timer)
  }, [])
  useEffect(() => refetchOnceServerAnswers(queryClient), [queryClient])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the notices reload on every new page
  useEffect(
    () => void queryClient.refetchQueries({ queryKey: moderationNoticesQuery.queryKey, stale: true }),
    [queryClient, pathname],
  )
  useEffect(() => applyThemeColor(readAppearance()), [])
  return (
    <>
      <ReportOverlay />
      {isPageAtRest && <PushTasks />}
      {me && (me.moderates || me.operates) && <RoleLinks me={me} />}
      {notices && notices.documents.length > 0 && <Notices notices={notices.documents} />}
      {me?.unreadHouseRules && <HouseRules version={me.unreadHouseRules} />}
      {me?.welcome && !me.unreadHouseRules && <Welcome me={me} />}
      {isInstallProposed && <InstallHint onClose={() => setInstallProposed(false)} />}
      {me?.quickExit && <QuickExit {...me.quickExit} onLeave={() => stopLiveUpdates.current?.()} />}
    </>
  )
}
