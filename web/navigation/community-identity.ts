/**
 * Stores the community's name, accent and logo outside the query client, for titles, colours and the brand. The server
 * writes them into the page. The member layout updates them from the data about the signed-in member.
 */
import { useSyncExternalStore } from 'react'

/** An undefined value means that the community uses the default of Juntas. */
export type CommunityIdentity = {
  name?: string | undefined
  accent?: string | undefined
  /** The version of the logo. */
  logo?: string | undefined
}

// Unit tests render without a document, so `document` may be undefined.
const { community, accent, logo } = globalThis.document?.documentElement.dataset ?? {}
const ofPage: CommunityIdentity = { name: community === 'Juntas' ? undefined : community, accent, logo }

let identity = ofPage
const listeners = new Set<() => void>()

export function showCommunityIdentity(next: CommunityIdentity): void {
  if (next.name === identity.name && next.accent === identity.accent && next.logo === identity.logo) return
  identity = next
  showAccent(next.accent)
  for (const listener of listeners) listener()
}

/** Restores the values that the server wrote into the page. */
export const resetCommunityIdentity = (): void => showCommunityIdentity(ofPage)

/** Applies the accent colour to the page (styles/colors.css). */
export function showAccent(name: string | undefined): void {
  const { dataset } = document.documentElement
  if (name) dataset.accent = name
  else delete dataset.accent
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useCommunityIdentity = (): CommunityIdentity => useSyncExternalStore(subscribe, () => identity)
