import { en } from '#contract/language.ts'
import { listPagePrefetchPaths, memberPrefetchPath } from '#contract/prefetch-paths.ts'
import { clearPrefetchedAnswers, prefetchApiGet } from '#web/api/client.ts'
import { readCachedHome } from './cached-home.ts'
import { offlineHomeState } from './offline-home-state.ts'

/**
 * While the device is offline, answers Home's first requests from the stored data. When the device goes online, the
 * session is checked as usual.
 * @param askSession asks the server whether there is a session
 * @returns whether any data is stored
 */
export async function restoreCachedHome(askSession: () => Promise<void>): Promise<boolean> {
  if (offlineHomeState.sentence) return true
  const askAnew = () => {
    // Stored answers that were not used are now outdated.
    clearPrefetchedAnswers()
    void askSession()
  }
  addEventListener('online', askAnew, { once: true })
  const kept = await readCachedHome().catch(() => null)
  if (!kept) return false
  offlineHomeState.sentence = en(
    `You’re offline. You see what was loaded at ${formatTime(kept.savedAt)}.`,
    `Estás sin conexión. Ves lo que se cargó a las ${formatTime(kept.savedAt)}.`,
  )
  offlineHomeState.leavesOutGroups = kept.leavesOutGroups
  const [feed = '', people = ''] = listPagePrefetchPaths('/')
  await Promise.all([
    prefetchApiGet(memberPrefetchPath, Promise.resolve(kept.me)),
    prefetchApiGet(feed, Promise.resolve({ documents: kept.posts, next: null })),
    prefetchApiGet(people, Promise.resolve({ documents: [], next: null })),
  ])
  return true
}

/** Returns a time such as `9:12`, with the day if it is not today. */
function formatTime(at: number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString()
  return new Intl.DateTimeFormat(en('en', 'es'), {
    ...(isToday ? {} : { weekday: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
}
