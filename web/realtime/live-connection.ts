/**
 * Distributes live changes and the connection state to the pages. The member layout loads this module after the first
 * paint and starts the connection once.
 */
import { useSyncExternalStore } from 'react'
import type { CollectionChange, TypingSignal } from '#contract/realtime/realtime.ts'
import type { LiveConnectionState } from './socket.ts'
import { type SharedSocket, subscribeToSharedSocket } from './tab-leader.ts'

export type { CollectionChange, LiveConnectionState }

type Listener = {
  /**
   * Receives changes. The function must be idempotent, because a change may arrive twice: from the socket and from
   * catching up.
   */
  changed?: (changes: readonly CollectionChange[]) => void
  /** Called when all data must be reloaded. */
  resync?: () => void
  /** Called when the session has ended or belongs to another account. */
  session?: () => void
  /** Called when somebody is typing a message to the member. */
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

/** Starts the connection. @returns a function that stops it */
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

/** Sends a typing signal. Without a connection, the signal is dropped. */
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
