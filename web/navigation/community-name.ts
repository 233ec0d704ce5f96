/** Keeps the community's name for titles and the logo, which visitors' pages share and which are outside the query client. */
import { useSyncExternalStore } from 'react'

/** Undefined for visitors, and where it is Juntas. */
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
