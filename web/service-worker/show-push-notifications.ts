/**
 * Every message must show a notification, because browsers cancel subscriptions that receive silent messages. It
 * makes no sound if a page is in the foreground.
 */
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'
import { getPushSubscriptionEndpoint } from '#contract/generated-endpoints.ts'
import type { PushMessage } from '#contract/notifications/push.ts'
import { screenPaths } from '#web/paths.ts'
import { readCachedCommunityName } from './cache-app-files.ts'
import { clearMemberDataOnDevice, sessionEndedTag } from './clear-member-data.ts'
import { pushSentenceOf } from './push-sentences.ts'
import { worker } from './worker-scope.ts'

function tagOf({ kind }: PushMessage): string {
  if (kind === 'farewell') return sessionEndedTag
  return kind === 'message' || kind === 'test' ? kind : 'news'
}

function destinationOf({ kind, conversationId, postId, groupId }: PushMessage): string {
  if (kind === 'farewell') return screenPaths.signIn()
  if (kind === 'message') return screenPaths.chat(conversationId)
  if (kind === 'test') return screenPaths.settingsPage('notifications')
  if (kind === 'new-device' || kind === 'two-steps-off') return screenPaths.settingsPage('security')
  if (kind === 'report') return screenPaths.moderation()
  if (kind === 'application') return screenPaths.adminPage('applications')
  if (kind === 'vouch-request') return screenPaths.vouchRequests()
  if (kind === 'report-decided') return screenPaths.settingsPage('reports')
  if (postId !== undefined) return screenPaths.post(postId)
  return groupId === undefined ? screenPaths.notifications() : screenPaths.group(groupId)
}

const unknownNews: PushMessage = { kind: 'news', badge: 0 }

/** A message without content counts as `news`. */
function messageOf(data: { json(): unknown } | null): PushMessage {
  try {
    return (data?.json() as PushMessage | undefined) ?? unknownNews
  } catch {
    return unknownNews
  }
}

const isInFront = async () =>
  (await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })).some(
    ({ visibilityState }) => visibilityState === 'visible',
  )

async function forgetSession(): Promise<void> {
  await clearMemberDataOnDevice()
  for (const page of await worker.clients.matchAll({ type: 'window' }))
    await page.navigate(screenPaths.signIn()).catch(() => {})
}

const attemptPausesMs = [0, 1000, 3000]
const answerTimeoutMs = 4000

/**
 * Whether the member is signed in here: the message about the end of a session may arrive days late, after another
 * sign-in. No response counts as no session, because a lost device must be erased.
 */
async function hasSession(): Promise<boolean> {
  for (const pauseMs of attemptPausesMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    const answer = await fetch(`/v1${getPushSubscriptionEndpoint.path}`, {
      cache: 'no-store',
      signal: AbortSignal.timeout(answerTimeoutMs),
    }).catch(() => null)
    if (answer?.ok) return true
    if (answer?.status === 401) return false
  }
  return false
}

/** Messages without content and those of older servers have no name. */
const titleOf = async ({ community }: PushMessage): Promise<string> =>
  community ?? (await readCachedCommunityName().catch(() => undefined)) ?? defaultCommunityName

const showEarlierFarewell = async (message: PushMessage) =>
  worker.registration.showNotification(await titleOf(message), {
    body: pushSentenceOf({ ...message, kind: 'earlier-farewell' }, navigator.language),
    icon: '/icon-192.png',
    tag: sessionEndedTag,
    silent: await isInFront(),
    data: screenPaths.settingsPage('security'),
  })

async function show(message: PushMessage): Promise<void> {
  if (message.kind === 'farewell') {
    if (await hasSession()) return showEarlierFarewell(message)
    await forgetSession()
  }
  const { badge } = message
  await (badge > 0 ? navigator.setAppBadge?.(badge) : navigator.clearAppBadge?.())?.catch(() => {})
  await worker.registration.showNotification(await titleOf(message), {
    body: pushSentenceOf(message, navigator.language),
    icon: '/icon-192.png',
    tag: tagOf(message),
    silent: await isInFront(),
    data: destinationOf(message),
  })
}

/** Milliseconds: enough for a cached page, and below the browser's limit for opening windows. */
const navigateTimeoutMs = 3000

async function open(path: string): Promise<void> {
  const url = new URL(path, worker.location.origin).href
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((each) => each.url === url) ?? pages[0]
  if (!page) return void (await worker.clients.openWindow(url))
  // The browser may refuse if another page is in the foreground.
  await page.focus().catch(() => {})
  if (page.url === url) return
  // Pages of another worker cannot be navigated, and pages in the bfcache never answer.
  await Promise.race([page.navigate(url), failAfter(navigateTimeoutMs)]).catch(() =>
    worker.clients.openWindow(url),
  )
}

const failAfter = (ms: number) =>
  new Promise((_resolve, reject) => setTimeout(reject, ms, new Error('The page did not answer')))

worker.addEventListener('push', (event) => event.waitUntil(show(messageOf(event.data))))
worker.addEventListener('notificationclick', (event) => {
  event.notification.close()
  event.waitUntil(open(String(event.notification.data ?? screenPaths.notifications())))
})
