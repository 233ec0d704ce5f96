/**
 * Distributes live changes and the connection's state to the pages. Loaded after the first paint and started once, by
 * the member layout.
 */
import { useSyncExternalStore } from 'react'
import type { CollectionChange, TypingSignal } from '#contract/realtime/realtime.ts'
import type { LiveConnectionState } from './socket.ts'
import { type SharedSocket, subscribeToSharedSocket } from './tab-leader.ts'

export type { CollectionChange, LiveConnectionState }

type Listener = {
  /** Must be idempotent: a change may arrive from the socket and from catching up. */
  changed?: (changes: readonly CollectionChange[]) => void
  /** Everything loaded must be reloaded. */
  resync?: () => void
  /** The session ended, or belongs to another account now. */
  session?: () => void
  /** Somebody is writing to the member. */
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

/** @returns ends them */
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

/** Tells the other of a conversation that the member is writing. Without a connection nobody is told. */
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
