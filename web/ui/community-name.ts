/** Keeps the community's name for page titles, which visitors' pages share and which are outside the query client. */
import { useSyncExternalStore } from 'react'
import { defaultCommunityName } from '#contract/community/community-limits.ts'

let name = defaultCommunityName
const listeners = new Set<() => void>()

export function setCommunityName(next: string): void {
  if (next === name) return
  name = next
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCommunityName = (): string => useSyncExternalStore(subscribe, () => name)
