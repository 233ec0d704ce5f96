/**
 * Live updates as the web sees them: changes to listen to, and how the connection does. Loaded after the first paint
 * (reading W-04) and begun once, by the member layout; whoever shows something that changes listens here.
 */
import { useSyncExternalStore } from 'react'
import type { Changed } from '#contract/live.ts'
import type { LiveState } from './live-socket.ts'
import { shareLive } from './live-tabs.ts'

export type { Changed, LiveState }

type Listener = {
  /** Applying a change twice must do no harm: it may come from the socket and from catching up. */
  changed?: (changes: readonly Changed[]) => void
  /** Forget what was loaded and load again. */
  resync?: () => void
  /** The session ended, or the browser's session is somebody else's now. */
  session?: () => void
}

let state: LiveState = 'connecting'
const listeners = new Set<Listener>()
const watchers = new Set<() => void>()

function become(next: LiveState) {
  state = next
  for (const watcher of watchers) watcher()
}

export function onLive(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** @returns ends them */
export function startLive(account: string): () => void {
  become('connecting')
  return shareLive(account, (news) => {
    if (news.type === 'state') return become(news.state)
    for (const listener of listeners) {
      if (news.type === 'changes') listener.changed?.(news.changes)
      else listener[news.type]?.()
    }
  })
}

export function onConnection(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const connection = (): LiveState => state

export const useConnection = (): LiveState => useSyncExternalStore(onConnection, connection)
