/** The session's status. It is not in the query cache, because visitors never load the cache's code. */
import { useSyncExternalStore } from 'react'
import { getLanguageSet, readChosenLanguageSet } from '#contract/language.ts'
import { memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import {
  ApiError,
  clearPrefetchedResponses,
  isSessionEndedError,
  prefetchApiGet,
  sendApiRequest,
} from '#web/api/client.ts'
import { clearFallbackCookies } from '#web/api/cookie-fallback.ts'
import { withRetries } from '#web/api/retry.ts'
import { appearanceStorageKey } from '#web/appearance/storage-key.ts'
import { getOfflineHome } from '#web/features/offline/offline-home-state.ts'
import { hasPageFlag } from '#web/navigation/page-flags.ts'
import { pendingSignOutKey } from './pending-sign-out-key.ts'

/** These paths are repeated, because the table of routes would otherwise load with the sign-in page. */
export const signInApiPath = '/sessions'
export const currentSessionApiPath = '/sessions/current'

export type SessionStatus = 'unknown' | 'unreachable' | 'visitor' | 'member'

let session: SessionStatus = 'unknown'
let lastCheck = 0
let leftByChoice = false
let isSigningOut = false
const listeners = new Set<() => void>()

function become(next: SessionStatus) {
  lastCheck += 1
  if (next === 'visitor') clearPrefetchedResponses()
  if (next === 'member') leftByChoice = false
  session = next
  for (const listener of listeners) listener()
}

export function subscribeToSessionStatus(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const getSessionStatus = (): SessionStatus => session

export const isSessionEnding = (): boolean => isSigningOut

export const hasSignedOut = (): boolean => leftByChoice

export const useSessionStatus = (): SessionStatus =>
  useSyncExternalStore(subscribeToSessionStatus, getSessionStatus)

/** A 401 means visitor, whatever is stored. Without a response, the caller counts as neither visitor nor member. */
export async function refreshSessionStatus(): Promise<SessionStatus> {
  // The socket may report the end of the session before the response to signing out arrives.
  if (isSessionEnding()) return session
  if (session === 'unreachable') become('unknown')
  lastCheck += 1
  const asked = lastCheck
  const found = await findSession()
  // The member signed in during the check, so its result is outdated.
  if (asked !== lastCheck) return session
  // The member continues with the data stored on the device.
  if (found === 'unreachable' && getOfflineHome()) return found
  // The session may have ended while no page was open.
  if (found === 'visitor') {
    clearStorages(localStorage)
    void deleteOfflineData(true)
  }
  become(found)
  if (getOfflineHome()) void loadOfflineData().then((offline) => offline?.waitForServer(refreshSessionStatus))
  return found
}

/** The first pages do not include this code; member pages load it early. */
const loadOfflineData = () => import('#web/features/offline/offline-data.ts').catch(() => undefined)

async function findSession(): Promise<SessionStatus> {
  try {
    if (await endPendingSignOut()) return 'visitor'
    const isOffline = navigator.onLine === false
    if (session !== 'member' && (isOffline || hasPageFlag('from-device'))) {
      if (await (await loadOfflineData())?.restoreCachedHome()) return 'member'
      if (isOffline) addEventListener('online', () => void refreshSessionStatus(), { once: true })
    }
    await withRetries(() => sendApiRequest('GET', sessionPrefetchPath))
    return 'member'
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 401)) return 'unreachable'
    clearFallbackCookies()
    return 'visitor'
  }
}

/** The server requires exactly these two keys. */
export async function createEmailSession({
  email,
  password,
}: {
  email: string
  password: string
}): Promise<void> {
  await sendApiRequest('POST', signInApiPath, { email, password })
  localStorage.removeItem(pendingSignOutKey)
}

export async function finishSignIn(): Promise<void> {
  clearPrefetchedResponses()
  const me = sendApiRequest('GET', memberPrefetchPath)
  await Promise.all([sendApiRequest('GET', sessionPrefetchPath), me])
  // The account's language may differ from the page's.
  const chosen = readChosenLanguageSet()
  if (chosen && chosen !== getLanguageSet()) {
    location.assign('/')
    await new Promise(() => {})
  }
  prefetchApiGet(memberPrefetchPath, me)
  become('member')
}

/** Afterwards, the route guards open sign-in, and the layout clears the memory. */
export function clearLocalSession(): void {
  clearFallbackCookies()
  clearStorages(localStorage, sessionStorage)
  void deleteOfflineData()
  become('visitor')
}

/** Keeps this device's appearance settings. */
function clearStorages(...storages: Storage[]) {
  for (const storage of storages)
    for (const key of Object.keys(storage)) if (key !== appearanceStorageKey) storage.removeItem(key)
}

/** @param keepsSharedPhoto keeps a photo just shared to the app for the next sign-in */
const deleteOfflineData = async (keepsSharedPhoto = false): Promise<void> =>
  (await loadOfflineData())?.deleteOfflineData(keepsSharedPhoto)

const signOutTimeoutMs = 5000

/**
 * If the server does not answer, the next start repeats the sign-out. Otherwise signing out offline would leave the
 * session open on this device.
 */
export async function signOut(): Promise<void> {
  isSigningOut = true
  localStorage.setItem(pendingSignOutKey, 'yes')
  const ended = await endPendingSignOut(AbortSignal.timeout(signOutTimeoutMs)).catch(() => false)
  clearStorages(localStorage, sessionStorage)
  await deleteOfflineData()
  if (!ended) localStorage.setItem(pendingSignOutKey, 'yes')
  leftByChoice = true
  isSigningOut = false
  become('visitor')
}

/** @returns whether an unconfirmed sign-out existed */
export async function endPendingSignOut(signal?: AbortSignal): Promise<boolean> {
  if (!localStorage.getItem(pendingSignOutKey)) return false
  try {
    await sendApiRequest('DELETE', currentSessionApiPath, undefined, signal)
  } catch (error) {
    if (!isSessionEndedError(error)) throw error
  }
  localStorage.removeItem(pendingSignOutKey)
  clearFallbackCookies()
  void deleteOfflineData()
  return true
}
