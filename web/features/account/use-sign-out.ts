import { useTransition } from 'react'
import { signOut } from './session.ts'

export function useSignOut() {
  const [busy, start] = useTransition()
  return { busy, run: () => !busy && start(signOut) }
}
