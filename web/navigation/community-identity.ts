/** The server writes these values into the page, and the member layout updates them. */
import { useSyncExternalStore } from 'react'
import { defaultCommunityName } from '#contract/community/community-name-and-logo.ts'

/** Undefined means the default of Juntas. */
export type CommunityIdentity = {
  name?: string | undefined
  accent?: string | undefined
  logo?: string | undefined
}

const { community, accent, logo } = globalThis.document?.documentElement.dataset ?? {}
const ofPage: CommunityIdentity = {
  name: community === defaultCommunityName ? undefined : community,
  accent,
  logo,
}

let identity = ofPage
const listeners = new Set<() => void>()

export function showCommunityIdentity(next: CommunityIdentity): void {
  if (next.name === identity.name && next.accent === identity.accent && next.logo === identity.logo) return
  identity = next
  showAccent(next.accent)
  for (const listener of listeners) listener()
}

export const resetCommunityIdentity = (): void => showCommunityIdentity(ofPage)

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

/** A component that does not use a hook of this module needs `useCommunityName`, which follows changes. */
export const getCommunityName = (): string => identity.name ?? defaultCommunityName

export const useCommunityName = (): string => useSyncExternalStore(subscribe, getCommunityName)

/** For texts of contract/, which cannot know the community. */
export const fillInCommunityName = (text: string): string =>
  text.replaceAll(defaultCommunityName, getCommunityName)
