import { useTransition } from 'react'
import { signOut } from './session.ts'

/** Ignores further presses. The route guard then opens sign-in. */
export function useSignOut() {
  const [busy, start] = useTransition()
  return { busy, run: () => !busy && start(signOut) }
}
