/**
 * Whether somebody is signed in: the one question that every screen rests on (spec §4 Auth). It is asked before anything else
 * is loaded, so it lives outside the query cache, which visitors never load (reading W-04).
 */
import { useSyncExternalStore } from 'react'
import { accountAddress, memberAddress } from '#contract/ahead.ts'
import { ApiError, anticipate, forgetAnticipated, request, sessionEnded } from '#web/api.ts'
import { forgetFallback } from '#web/fallback-session.ts'
import { retrying } from '#web/retry.ts'

export type Session = 'unknown' | 'unreachable' | 'visitor' | 'member'

let session: Session = 'unknown'
let lastCheck = 0
const listeners = new Set<() => void>()

function become(next: Session) {
  lastCheck += 1
  if (next === 'visitor') forgetAnticipated()
  session = next
  for (const listener of listeners) listener()
}

function onChange(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useSession = (): Session => useSyncExternalStore(onChange, () => session)

/** No current user means visitor, whatever is stored; no answer means neither (conflict C-03). */
export async function checkSession(): Promise<void> {
  if (session === 'unreachable') become('unknown')
  lastCheck += 1
  const asked = lastCheck
  const found = await findSession()
  // Signing in meanwhile knows better than a question asked before it.
  if (asked === lastCheck) become(found)
}

async function findSession(): Promise<Session> {
  try {
    if (await finishSignOut()) return 'visitor'
    await retrying(() => request('GET', accountAddress))
    return 'member'
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 401)) return 'unreachable'
    forgetFallback()
    return 'visitor'
  }
}

/** The dialect's e-mail session, with exactly these keys (SIN-10). */
export async function openSession({ email, password }: { email: string; password: string }): Promise<void> {
  await request('POST', '/account/sessions/email', { email, password })
  localStorage.removeItem(signingOut)
}

/** The check after logging in: account and profile, each asked once. */
export async function enter(): Promise<void> {
  forgetAnticipated()
  const me = request('GET', memberAddress)
  await Promise.all([request('GET', accountAddress), me])
  anticipate(memberAddress, me)
  become('member')
}

/** The server no longer knows her: the guards send her to sign in, and with the member's pages goes what they loaded. */
export function endSession(): void {
  forgetFallback()
  become('visitor')
}

const signingOut = 'juntas:signing-out'
const signOutPatience = 5000

/**
 * Ends the session and drops what this browser keeps of her. Without an answer the end is remembered and asked for again at the
 * next start, so that leaving while offline leaves no door open for the next person at this device (conflict C-58).
 */
export async function signOut(): Promise<void> {
  localStorage.setItem(signingOut, 'yes')
  const ended = await finishSignOut(AbortSignal.timeout(signOutPatience)).catch(() => false)
  sessionStorage.clear()
  localStorage.clear()
  // Messages that were still to be sent (reading W-07).
  indexedDB.deleteDatabase('juntas-outgoing')
  if (!ended) localStorage.setItem(signingOut, 'yes')
  become('visitor')
}

/** @returns whether a sign-out was pending */
async function finishSignOut(signal?: AbortSignal): Promise<boolean> {
  if (!localStorage.getItem(signingOut)) return false
  try {
    await request('DELETE', '/account/sessions/current', undefined, signal)
  } catch (error) {
    if (!sessionEnded(error)) throw error
  }
  localStorage.removeItem(signingOut)
  forgetFallback()
  return true
}
