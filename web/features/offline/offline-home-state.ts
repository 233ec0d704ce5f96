/** This is a module of its own, because every member page reads it. */
import { useSyncExternalStore } from 'react'

export type OfflineHome = {
  /** Texts that say how old the data is: without a connection, and while the server does not answer. */
  offline: string
  unanswered: string
  leavesOutGroups: boolean
}

let shown: OfflineHome | undefined
let isDataStored = false
const listeners = new Set<() => void>()

export const getOfflineHome = (): OfflineHome | undefined => shown

export function setOfflineHome(next: OfflineHome | undefined): void {
  shown = next
  if (next) isDataStored = true
  for (const listener of listeners) listener()
}

/** True once, if the page still shows stored data although the server answers. */
export function takeOutdatedData(): boolean {
  if (shown || !isDataStored) return false
  isDataStored = false
  return true
}

export function onOfflineHomeChange(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOfflineHome = (): OfflineHome | undefined =>
  useSyncExternalStore(onOfflineHomeChange, getOfflineHome)
