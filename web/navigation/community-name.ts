/** Stores the community's name outside the query client, for titles and the logo. */
import { useSyncExternalStore } from 'react'

/** Undefined for visitors and for the default name. */
let name: string | undefined
const listeners = new Set<() => void>()

export function setCommunityName(next: string | undefined): void {
  if (next === name) return
  name = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCommunityName = (): string | undefined => useSyncExternalStore(subscribe, () => name)
