import { useTransition } from 'react'
import { signOut } from './session.ts'

/** Signs out once per press; the route guard then leads to sign-in. */
export function useSignOut() {
  const [busy, start] = useTransition()
  return { busy, run: () => !busy && start(signOut) }
}
