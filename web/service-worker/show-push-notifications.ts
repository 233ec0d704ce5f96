/**
 * Shows what is pushed. Every push shows something, because a browser ends the subscription of a site that rings unseen; with a page of
 * Juntas in front it shows without a sound. Pressing it brings an open page to the front, or opens the place.
 */
import { getPushSubscriptionEndpoint } from '#contract/generated-endpoints.ts'
import type { PushMessage } from '#contract/notifications/push.ts'
import { screenPaths } from '#web/paths.ts'
import { clearMemberDataOnDevice, sessionEndedTag } from './clear-member-data.ts'
import { pushSentenceOf } from './push-sentences.ts'
import { worker } from './worker-scope.ts'

/** What is shown of a kind takes the place of what was shown of it before. */
function tagOf({ kind }: PushMessage): string {
  if (kind === 'farewell') return sessionEndedTag
  return kind === 'message' || kind === 'test' ? kind : 'news'
}

/** Where pressing it leads. */
function destinationOf({ kind, conversationId, postId, groupId }: PushMessage): string {
  if (kind === 'farewell') return screenPaths.signIn()
  if (kind === 'message') return screenPaths.chat(conversationId)
  if (kind === 'test') return screenPaths.settingsPage('notifications')
  if (kind === 'new-device' || kind === 'two-steps-off') return screenPaths.settingsPage('security')
  if (kind === 'report') return screenPaths.moderation()
  if (kind === 'report-decided') return screenPaths.settingsPage('reports')
  if (postId !== undefined) return screenPaths.post(postId)
  return groupId === undefined ? screenPaths.notifications() : screenPaths.group(groupId)
}

const unknownNews: PushMessage = { kind: 'news', badge: 0 }

/** Reads a push; of one that says nothing it is only known that there is news. */
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

/** Forgets everything of the member whose session is over; the app's own files are everybody's. */
async function forgetSession(): Promise<void> {
  await clearMemberDataOnDevice()
  // Pages learn of the end of their session by themselves; one in the background shows nothing of it any more.
  for (const page of await worker.clients.matchAll({ type: 'window' }))
    await page.navigate(screenPaths.signIn()).catch(() => {})
}

/** Milliseconds before each attempt to ask whether the session is over, and that an answer may take. */
const attemptPausesMs = [0, 1000, 3000]
const answerTimeoutMs = 4000

/**
 * Asks the server whether this browser has a session: the last push of one that was ended may come days late, when its member has signed
 * in again and writes. Where nobody answers there is taken to be none, because a lost device is to be erased.
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

/** Says that an earlier session is over; the badge is the present one's. */
const showEarlierFarewell = async (message: PushMessage) =>
  worker.registration.showNotification('Juntas', {
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
  await worker.registration.showNotification('Juntas', {
    body: pushSentenceOf(message, navigator.language),
    icon: '/icon-192.png',
    tag: tagOf(message),
    silent: await isInFront(),
    data: destinationOf(message),
  })
}

/** Long enough for a page out of the worker's cache, and shorter than a browser lets a press open a window. */
const navigateTimeoutMs = 3000

async function open(path: string): Promise<void> {
  const url = new URL(path, worker.location.origin).href
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((each) => each.url === url) ?? pages[0]
  if (!page) return void (await worker.clients.openWindow(url))
  // A browser may not let go of the page in front.
  await page.focus().catch(() => {})
  if (page.url === url) return
  // A page that another worker serves cannot be led from here, and one that is kept for Back alone never answers.
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
