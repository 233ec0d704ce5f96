import { en } from '#contract/language.ts'
import { listPagePrefetchPaths, memberPrefetchPath } from '#contract/prefetch-paths.ts'
import { clearPrefetchedResponses, prefetchApiGet } from '#web/api/client.ts'
import { getCommunityName } from '#web/navigation/community-identity.ts'
import { serverAnsweredMessage } from '#web/service-worker/messages.ts'
import { readCachedHome } from './cached-home.ts'
import { getOfflineHome, setOfflineHome } from './offline-home-state.ts'

const checkIntervalMs = 5000

/**
 * Call this if the server does not answer.
 * @returns whether anything is stored
 */
export async function restoreCachedHome(): Promise<boolean> {
  if (getOfflineHome()) return true
  const kept = await readCachedHome().catch(() => null)
  if (!kept) return false
  const time = formatTime(kept.savedAt)
  const seen = en(`You see what was loaded at ${time}.`, `Ves lo que se cargó a las ${time}.`)
  const community = kept.me.community ?? getCommunityName()
  setOfflineHome({
    offline: `${en('You’re offline.', 'Estás sin conexión.')} ${seen}`,
    unanswered: `${en(`${community} isn’t answering.`, `${community} no responde.`)} ${seen}`,
    leavesOutGroups: kept.leavesOutGroups,
  })
  const [feed = '', people = ''] = listPagePrefetchPaths('/')
  await Promise.all([
    prefetchApiGet(memberPrefetchPath, Promise.resolve(kept.me)),
    prefetchApiGet(feed, Promise.resolve({ documents: kept.posts, next: null })),
    prefetchApiGet(people, Promise.resolve({ documents: [], next: null })),
  ])
  return true
}

let isWaiting = false

export async function waitForServer(checkSession: () => Promise<string>): Promise<void> {
  if (isWaiting) return
  isWaiting = true
  while (navigator.onLine === false || (await checkSession()) === 'unreachable') await untilNextCheck()
  isWaiting = false
  // Prefetched responses that nobody used are outdated.
  clearPrefetchedResponses()
  setOfflineHome(undefined)
  navigator.serviceWorker?.controller?.postMessage(serverAnsweredMessage)
}

/** Waits until the browser is online, or for a while if it is online already. */
const untilNextCheck = () =>
  new Promise<void>((resolve) => {
    const check = () => {
      clearTimeout(timer)
      removeEventListener('online', check)
      resolve()
    }
    const timer = navigator.onLine === false ? undefined : setTimeout(check, checkIntervalMs)
    addEventListener('online', check)
  })

function formatTime(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(en('en', 'es'), {
    ...(isToday ? {} : { weekday: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}
