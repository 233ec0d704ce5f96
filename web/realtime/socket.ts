/** Detects half-open connections, and catches up before it reports that it is connected. */

import type { OperationOutput } from '#contract/operation.ts'
import type {
  CollectionChange,
  catchUpOperation,
  SocketClientFrame,
  SocketServerFrame,
  TypingSignal,
} from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'
import { ApiError } from '../api/client.ts'
import { getReconnectDelayMs } from './reconnect-delay.ts'

/** `stopped` means that the server refused further connections. */
export type LiveConnectionState = 'connecting' | 'connected' | 'lost' | 'stopped'

export type LiveSocketMessage =
  | { type: 'state'; state: LiveConnectionState; position: string | null }
  | { type: 'changes'; changes: CollectionChange[]; position: string | null }
  | { type: 'resync'; position: string | null }
  /** The session ended or belongs to another account. */
  | { type: 'session' }
  | { type: 'typing'; sign: TypingSignal }

type Missed = OperationOutput<typeof catchUpOperation>
type Greeting = Extract<SocketServerFrame, { type: 'connected' }>['data']

type Options = {
  url: string
  account: string
  /** The position of another tab's socket. Null for the first socket. */
  since: string | null
  onMessage: (message: LiveSocketMessage) => void
  missedSince: (position: string) => Promise<Missed>
}

export type LiveSocket = {
  /** If the connection is lost, reconnects without waiting. */
  ping(): void
  send(frame: SocketClientFrame): void
  close(): void
}

const heartbeatIntervalMs = 20_000
const heartbeatTimeoutMs = 10_000

export function connectLiveSocket({ url, account, since, onMessage, missedSince }: Options): LiveSocket {
  let current: WebSocket | undefined
  let position = since
  let attempt = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const become = (state: LiveConnectionState) => onMessage({ type: 'state', state, position })

  function connect() {
    clearTimeout(waiting)
    waiting = undefined
    const ws = new WebSocket(url)
    current = ws
    listenTo(ws)
    let sentAway = false
    let caughtUp = false

    /** Positions count only when everything before them has arrived. */
    const move = (next: string | undefined) => {
      if (caughtUp && next) position = next
    }

    const welcome = async ({ accountId, position: now }: Greeting) => {
      if (accountId !== account) onMessage({ type: 'session' })
      const missed = position === null ? null : await catchUpFrom(position, ws)
      if (ws !== current) return
      caughtUp = true
      position = missed?.position || now
      attempt = 0
      become('connected')
      if (missed?.resync) onMessage({ type: 'resync', position })
      else if (missed?.changes.length) onMessage({ type: 'changes', changes: missed.changes, position })
    }

    ws.onmessage = ({ data }) => {
      if (ws !== current) return
      clearTimeout(silence)
      const frame = JSON.parse(data) as SocketServerFrame
      sentAway = frame.type === 'error' && frame.data.code === socketCloseCodes.goAway
      if (frame.type === 'connected') void welcome(frame.data)
      if (frame.type === 'pong') {
        move(frame.data.position)
        if (caughtUp) become('connected')
      }
      if (frame.type === 'typing') onMessage({ type: 'typing', sign: frame.data })
      if (frame.type === 'change') {
        const { position: at, ...change } = frame.data
        move(at)
        onMessage({ type: 'changes', changes: [change], position })
      }
    }
    ws.onclose = ({ code }) => {
      if (ws !== current) return
      if (code === socketCloseCodes.sessionOver) onMessage({ type: 'session' })
      if (sentAway || code === socketCloseCodes.goAway) stop()
      else reconnect()
    }
  }

  /**
   * Retries until it succeeds.
   * @returns null if another socket has replaced this one
   */
  async function catchUpFrom(from: string, ws: WebSocket): Promise<Missed | null> {
    for (let attempts = 1; ; attempts++) {
      try {
        return await missedSince(from)
      } catch (error) {
        const final = error instanceof ApiError && error.code === 400
        if (final) return { changes: [], position: '', resync: true }
        await new Promise((resolve) => setTimeout(resolve, getReconnectDelayMs(attempts)))
        if (ws !== current) return null
      }
    }
  }

  function listenTo(ws: WebSocket) {
    clearTimeout(silence)
    silence = setTimeout(() => ws === current && reconnect(), heartbeatTimeoutMs)
  }

  function send(frame: SocketClientFrame) {
    if (current?.readyState === WebSocket.OPEN) current.send(JSON.stringify(frame))
  }

  function ping() {
    if (current?.readyState !== WebSocket.OPEN) return
    send({ type: 'ping' })
    listenTo(current)
  }

  function reconnect() {
    leave()
    attempt += 1
    waiting = setTimeout(connect, getReconnectDelayMs(attempt))
    become('lost')
  }

  function stop() {
    leave()
    become('stopped')
  }

  function leave() {
    clearTimeout(silence)
    const ws = current
    current = undefined
    ws?.close()
  }

  connect()
  const beat = setInterval(ping, heartbeatIntervalMs)

  return {
    ping() {
      if (waiting) connect()
      else ping()
    },
    send,
    close() {
      if (closed) return
      closed = true
      clearInterval(beat)
      clearTimeout(waiting)
      leave()
    },
  }
}
