/** The member layout loads this after the first paint. */
import { useSyncExternalStore } from 'react'
import type { CollectionChange, TypingSignal } from '#contract/realtime/realtime.ts'
import type { LiveConnectionState } from './socket.ts'
import { type SharedSocket, subscribeToSharedSocket } from './tab-leader.ts'

export type { CollectionChange, LiveConnectionState }

type Listener = {
  /** The function must be idempotent: a change may arrive from the socket and from catching up. */
  changed?: (changes: readonly CollectionChange[]) => void
  /** Changes were missed, so all data must be reloaded. */
  resync?: () => void
  /** The session ended or belongs to another account. */
  session?: () => void
  typing?: (sign: TypingSignal) => void
}

let state: LiveConnectionState = 'connecting'
let shared: SharedSocket | undefined
const listeners = new Set<Listener>()
const watchers = new Set<() => void>()

function become(next: LiveConnectionState) {
  state = next
  for (const watcher of watchers) watcher()
}

export function subscribeToLiveChanges(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function startLiveConnection(account: string): () => void {
  become('connecting')
  const socket = subscribeToSharedSocket(account, (message) => {
    if (message.type === 'state') return become(message.state)
    for (const listener of listeners) {
      if (message.type === 'changes') listener.changed?.(message.changes)
      else if (message.type === 'typing') listener.typing?.(message.sign)
      else listener[message.type]?.()
    }
  })
  shared = socket
  return () => {
    socket.close()
    if (shared === socket) shared = undefined
  }
}

export function sendTypingSignal(conversationId: string): void {
  shared?.send({ type: 'typing', data: { conversationId } })
}

export function onLiveConnectionStateChange(watcher: () => void): () => void {
  watchers.add(watcher)
  return () => watchers.delete(watcher)
}

export const getLiveConnectionState = (): LiveConnectionState => state

export const useLiveConnectionState = (): LiveConnectionState =>
  useSyncExternalStore(onLiveConnectionStateChange, getLiveConnectionState)
