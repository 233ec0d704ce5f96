/** The member layout loads this after the first paint. */
import { useSyncExternalStore } from 'react'
import { catchUpEndpoint } from '#contract/generated-endpoints.ts'
import type { CollectionChange, SocketClientFrame, TypingSignal } from '#contract/realtime/realtime.ts'
import { callApiOperation } from '../api/client.ts'
import {
  connectLiveSocket,
  type LiveConnectionState,
  type LiveSocket,
  type LiveSocketMessage,
} from './socket.ts'

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

type TabMessage =
  | LiveSocketMessage
  | { type: 'hello' }
  | { type: 'ping' }
  | { type: 'send'; frame: SocketClientFrame }

const leaderCheckIntervalMs = 20_000

export type SharedSocket = {
  send(frame: SocketClientFrame): void
  close(): void
}

/** One tab holds the socket. When it closes, the next tab continues from its own last position. */
export function subscribeToSharedSocket(
  account: string,
  onMessage: (message: LiveSocketMessage) => void,
): SharedSocket {
  const name = `juntas:live:${account}`
  const channel = new BroadcastChannel(name)
  const stopped = new AbortController()
  let socket: LiveSocket | undefined
  let last: LiveSocketMessage = { type: 'state', state: 'connecting', position: null }
  let position: string | null = null
  let unanswered = false

  const receive = (message: LiveSocketMessage) => {
    if ('position' in message) position = message.position ?? position
    if (message.type === 'state') last = message
    onMessage(message)
  }

  const lead = () =>
    new Promise<void>((resolve) => {
      if (stopped.signal.aborted) return resolve()
      socket = connectLiveSocket({
        url: `${location.origin.replace(/^http/, 'ws')}/v1/live`,
        account,
        since: position,
        missedSince: (since) => callApiOperation(catchUpEndpoint, { since }),
        onMessage: (message) => {
          channel.postMessage(message)
          receive(message)
        },
      })
      stopped.signal.addEventListener('abort', () => {
        socket?.close()
        resolve()
      })
    })

  // Insecure contexts have no locks, so each tab opens its own socket.
  const queue = () => {
    if (!navigator.locks) return void lead()
    navigator.locks.request(name, { signal: stopped.signal }, lead).catch(stepDown)
  }

  /** Another tab may take the lock while the browser suspends this one. */
  const stepDown = () => {
    if (!socket || stopped.signal.aborted) return
    socket.close()
    socket = undefined
    queue()
  }

  /** The browser may have suspended the leader's tab. */
  const checkLeader = () => {
    if (socket || document.visibilityState === 'hidden') return
    if (unanswered) navigator.locks.request(name, { steal: true }, lead).catch(stepDown)
    else channel.postMessage({ type: 'hello' } satisfies TabMessage)
    unanswered = !unanswered
  }

  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'hello') socket && channel.postMessage(last)
    else if (data.type === 'ping') socket?.ping()
    else if (data.type === 'send') socket?.send(data.frame)
    else {
      unanswered = false
      receive(data)
    }
  }
  channel.postMessage({ type: 'hello' } satisfies TabMessage)

  queue()
  const leaderCheck = setInterval(checkLeader, leaderCheckIntervalMs)

  const pingLeader = () => {
    if (document.visibilityState === 'hidden') return
    if (socket) socket.ping()
    else channel.postMessage({ type: 'ping' } satisfies TabMessage)
  }
  addEventListener('online', pingLeader)
  document.addEventListener('visibilitychange', pingLeader)

  return {
    send(frame) {
      if (socket) socket.send(frame)
      else channel.postMessage({ type: 'send', frame } satisfies TabMessage)
    },
    close() {
      removeEventListener('online', pingLeader)
      document.removeEventListener('visibilitychange', pingLeader)
      clearInterval(leaderCheck)
      stopped.abort()
      channel.close()
    },
  }
}
