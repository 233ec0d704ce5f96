import { useTransition } from 'react'
import { signOut } from './session.ts'

/** Signs out once, however often the button is pressed; the route guard then leads to sign-in. */
export function useSignOut() {
  const [busy, start] = useTransition()
  return { busy, run: () => !busy && start(signOut) }
}
