/**
 * One socket to `/v1/realtime` that keeps itself alive: it comes back by the spec's delays, notices a connection that is only
 * half open, and asks for what it missed before it calls itself connected (contract/live.ts; spec §4 Live updates).
 */
import { type Changed, type catchUp, closeCodes, type LiveEvent, liveCollections } from '#contract/live.ts'
import type { OutputOf } from '#contract/operation.ts'
import { ApiError } from './api.ts'
import { reconnectDelay } from './live-delay.ts'

/** `stopped`: the server does not want it back (row RT-11). */
export type LiveState = 'connecting' | 'connected' | 'lost' | 'stopped'

export type LiveNews =
  | { type: 'state'; state: LiveState; position: string | null }
  | { type: 'changes'; changes: Changed[]; position: string | null }
  /** Too much was missed to be told: what was loaded is to be loaded again. */
  | { type: 'resync'; position: string | null }
  /** The session ended, or it is somebody else's. */
  | { type: 'session' }

type Missed = OutputOf<typeof catchUp>

type Options = {
  url: string
  /** The account that the socket is for. */
  account: string
  /** Where she stands, when another tab told her before; null at first. */
  since: string | null
  tell: (news: LiveNews) => void
  missedSince: (position: string) => Promise<Missed>
}

export type LiveSocket = {
  /** Something speaks for a connection, or for its loss: tries at once what it would have tried later. */
  nudge(): void
  close(): void
}

const beatEvery = 20_000
/** Silence after a ping; then nobody is there. */
const patience = 10_000

type Frame =
  | { type: 'connected'; data: { user: { $id: string } | null; position: string } }
  | { type: 'event'; data: LiveEvent }
  | { type: 'pong'; data?: { position: string } }
  | { type: 'error'; data: { code: number } }
  | { type: 'response' }

/** Channels of the URL are heard before the greeting, so nothing happens between the greeting and a subscription. */
const subscribed = (url: string) => {
  const query = new URLSearchParams({ project: 'juntas' })
  for (const collection of liveCollections)
    query.append('channels[]', `databases.main.collections.${collection}.documents`)
  return `${url}?${query}`
}

export function connectLive({ url, account, since, tell, missedSince }: Options): LiveSocket {
  let current: WebSocket | undefined
  let position = since
  let attempt = 0
  let waiting: ReturnType<typeof setTimeout> | undefined
  let silence: ReturnType<typeof setTimeout> | undefined
  let closed = false

  const become = (state: LiveState) => tell({ type: 'state', state, position })

  function connect() {
    clearTimeout(waiting)
    waiting = undefined
    const ws = new WebSocket(subscribed(url))
    current = ws
    listenTo(ws)
    let sentAway = false
    let caughtUp = false

    /** Positions count only once everything before them is known. */
    const move = (next: string | undefined) => {
      if (caughtUp && next) position = next
    }

    const welcome = async ({ user, position: now }: Extract<Frame, { type: 'connected' }>['data']) => {
      if (user?.$id !== account) tell({ type: 'session' })
      const missed = position === null ? null : await catchUpFrom(position, ws)
      if (ws !== current) return
      caughtUp = true
      position = missed?.position || now
      attempt = 0
      become('connected')
      if (missed?.resync) tell({ type: 'resync', position })
      else if (missed?.changes.length) tell({ type: 'changes', changes: missed.changes, position })
    }

    ws.onmessage = ({ data }) => {
      if (ws !== current) return
      clearTimeout(silence)
      const frame = JSON.parse(data) as Frame
      sentAway = frame.type === 'error' && frame.data.code === closeCodes.goAway
      if (frame.type === 'connected') void welcome(frame.data)
      if (frame.type === 'pong') {
        move(frame.data?.position)
        if (caughtUp) become('connected')
      }
      if (frame.type === 'event') {
        move(frame.data.position)
        const change = changeOf(frame.data)
        if (change) tell({ type: 'changes', changes: [change], position })
      }
    }
    ws.onclose = ({ code }) => {
      if (ws !== current) return
      if (code === closeCodes.sessionOver) tell({ type: 'session' })
      if (sentAway || code === closeCodes.goAway) stop()
      else comeBack()
    }
  }

  /** @returns null when the position was never ours; asks until there is an answer or another socket */
  async function catchUpFrom(from: string, ws: WebSocket): Promise<Missed | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await missedSince(from)
      } catch (error) {
        const final = error instanceof ApiError && error.code === 400
        if (final) return { changes: [], position: '', resync: true }
        await new Promise((resolve) => setTimeout(resolve, reconnectDelay(tries)))
        if (ws !== current) return null
      }
    }
  }

  function listenTo(ws: WebSocket) {
    clearTimeout(silence)
    silence = setTimeout(() => ws === current && comeBack(), patience)
  }

  function ping() {
    if (current?.readyState !== WebSocket.OPEN) return
    current.send('{"type":"ping"}')
    listenTo(current)
  }

  function comeBack() {
    leave()
    attempt += 1
    waiting = setTimeout(connect, reconnectDelay(attempt))
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
  const beat = setInterval(ping, beatEvery)

  return {
    nudge() {
      if (waiting) connect()
      else ping()
    },
    close() {
      if (closed) return
      closed = true
      clearInterval(beat)
      clearTimeout(waiting)
      leave()
    },
  }
}

/** `databases.main.collections.messages.documents.ID.create` tells collection and kind. */
function changeOf({ events, payload }: LiveEvent): Changed | null {
  const parts = events[0]?.split('.') ?? []
  const collection = liveCollections.find((name) => name === parts[3])
  const kind = (['create', 'update', 'delete'] as const).find((name) => name === parts.at(-1))
  return collection && kind ? { collection, kind, document: payload as Changed['document'] } : null
}
