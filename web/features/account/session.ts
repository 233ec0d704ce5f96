/**
 * Tracks whether somebody is signed in. Every screen depends on it and it is checked before anything else loads, so it
 * lives outside the query cache, whose code visitors never load.
 */
import { useSyncExternalStore } from 'react'
import { getLanguageSet, readChosenLanguageSet } from '#contract/language.ts'
import { memberPrefetchPath, sessionPrefetchPath } from '#contract/prefetch-paths.ts'
import {
  ApiError,
  clearPrefetchedAnswers,
  isSessionEndedError,
  prefetchApiGet,
  sendApiRequest,
} from '#web/api/client.ts'
import { clearFallbackCookies } from '#web/api/cookie-fallback.ts'
import { withRetries } from '#web/api/retry.ts'
import { appearanceStorageKey } from '#web/appearance/storage-key.ts'

/** Paths of `signInOperation` and `signOutOperation`, written out: the table of all routes would load with the sign-in page. */
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
  if (next === 'visitor') clearPrefetchedAnswers()
  if (next === 'member') leftByChoice = false
  session = next
  for (const listener of listeners) listener()
}

function onChange(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const getSessionStatus = (): SessionStatus => session

/** Whether its member is just signing out here. */
export const isSessionEnding = (): boolean => isSigningOut

/** Whether the session ended because its member signed out here: whoever comes next begins at Home. */
export const hasSignedOut = (): boolean => leftByChoice

export const useSessionStatus = (): SessionStatus => useSyncExternalStore(onChange, getSessionStatus)

/** Checks the session: 401 means visitor, whatever is stored; no answer means neither visitor nor member. */
export async function refreshSessionStatus(): Promise<void> {
  // The socket tells of the end of the session before the answer that ended it comes.
  if (isSessionEnding()) return
  if (session === 'unreachable') become('unknown')
  lastCheck += 1
  const asked = lastCheck
  const found = await findSession()
  // A sign-in during the check is newer than its answer.
  if (asked !== lastCheck) return
  // The session may have ended elsewhere while no page was open.
  if (found === 'visitor') {
    clearStorages(localStorage)
    void deleteOfflineData(true)
  }
  become(found)
}

/** Its code is in no first page; a member's page has it at once (web/layout/background-tasks-and-overlays.tsx). */
const loadOfflineData = () => import('#web/features/offline/offline-data.ts').catch(() => undefined)

async function findSession(): Promise<SessionStatus> {
  try {
    if (await completePendingSignOut()) return 'visitor'
    if (navigator.onLine === false && session !== 'member') {
      if (await (await loadOfflineData())?.restoreCachedHome(refreshSessionStatus)) return 'member'
    }
    await withRetries(() => sendApiRequest('GET', sessionPrefetchPath))
    return 'member'
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 401)) return 'unreachable'
    clearFallbackCookies()
    return 'visitor'
  }
}

/** Opens an e-mail session. The body has exactly these two keys. */
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

/** Completes a sign-in: requests account and member once each, and keeps the member for the first screen. */
export async function finishSignIn(): Promise<void> {
  clearPrefetchedAnswers()
  const me = sendApiRequest('GET', memberPrefetchPath)
  await Promise.all([sendApiRequest('GET', sessionPrefetchPath), me])
  // The account reads another language than this page is in.
  const chosen = readChosenLanguageSet()
  if (chosen && chosen !== getLanguageSet()) {
    location.assign('/')
    await new Promise(() => {})
  }
  prefetchApiGet(memberPrefetchPath, me)
  become('member')
}

/**
 * Drops the session after the server has ended it, with what this browser stores about the member: the guards lead to sign-in, and what
 * was loaded goes with the member layout.
 */
export function clearLocalSession(): void {
  clearFallbackCookies()
  clearStorages(localStorage, sessionStorage)
  void deleteOfflineData()
  become('visitor')
}

/** Removes all but how the page looks on this device. */
function clearStorages(...storages: Storage[]) {
  for (const storage of storages)
    for (const key of Object.keys(storage)) if (key !== appearanceStorageKey) storage.removeItem(key)
}

/** @param keepsSharedPhoto what was just shared to Juntas waits for who signs in */
const deleteOfflineData = async (keepsSharedPhoto = false): Promise<void> =>
  (await loadOfflineData())?.deleteOfflineData(keepsSharedPhoto)

/** Where a sign-out that the server has not confirmed is stored. */
export const pendingSignOutKey = 'juntas:signing-out'
const signOutTimeoutMs = 5000

/**
 * Ends the session and deletes what this browser stores about the member. Without an answer the sign-out stays pending
 * and is repeated at the next start: signing out while offline must not leave the session open for the next person at
 * this device.
 */
export async function signOut(): Promise<void> {
  isSigningOut = true
  localStorage.setItem(pendingSignOutKey, 'yes')
  const ended = await completePendingSignOut(AbortSignal.timeout(signOutTimeoutMs)).catch(() => false)
  clearStorages(localStorage, sessionStorage)
  await deleteOfflineData()
  if (!ended) localStorage.setItem(pendingSignOutKey, 'yes')
  leftByChoice = true
  isSigningOut = false
  become('visitor')
}

/** @returns whether a sign-out was pending */
async function completePendingSignOut(signal?: AbortSignal): Promise<boolean> {
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
