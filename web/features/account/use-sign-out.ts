import { useTransition } from 'react'
import { signOut } from './session.ts'

/** Sent once, however often Logout is pressed; the guard then leads to sign-in. */
export function useSignOut() {
  const [busy, start] = useTransition()
  return { busy, run: () => !busy && start(signOut) }
}
