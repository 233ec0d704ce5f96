import { useSyncExternalStore } from 'react'

/** Says whether the page is in front: a hidden window reads nothing. */
export const useIsPageVisible = (): boolean =>
  useSyncExternalStore(subscribe, () => document.visibilityState === 'visible')

function subscribe(listener: () => void) {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
