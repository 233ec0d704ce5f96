import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import { buildAppwriteRealtimeUrl } from '#api-client/realtime-urls.ts'
import { catchUpOperation } from '#contract/realtime/realtime.ts'
import { getAppLeakScan } from './leak-scanner.ts'
import { loadSealOfApp } from './sealed-positions.ts'
import { patienceMs } from './wait-for.ts'
import type { MemberClient } from './world.ts'

export type WebSocketFrame = { type: string; data?: Record<string, unknown> }

export type AppwriteEventData = {
  events: string[]
  channels: string[]
  timestamp: string
  payload: Record<string, unknown> & { $id: string }
  subscriptions?: string[]
  position: string
}

export type TestSocket = {
  frames: WebSocketFrame[]
  events(): AppwriteEventData[]
  /** Returns a frame already received or still to come. @throws on timeout */
  until(fits: (frame: WebSocketFrame) => boolean): Promise<WebSocketFrame>
  event(collection: string, kind: string): Promise<AppwriteEventData>
  send(message: unknown): void
  closed: Promise<number>
  readonly isOpen: boolean
  close(): void
  ws: WebSocket
  app: FastifyInstance | string
}

/** Starts the server if necessary. @returns the address of its socket */
export async function listenAndGetRealtimeUrl(app: FastifyInstance | string): Promise<string> {
  if (typeof app === 'string') return buildAppwriteRealtimeUrl(app)
  if (!app.server.listening) await app.listen({ port: 0, host: '127.0.0.1' })
  return buildAppwriteRealtimeUrl(`http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
}

/**
 * @param app a server or its address @param options.channels named in the URL
 * @throws with the status if the server refuses the socket
 */
export async function openTestSocket(
  app: FastifyInstance | string,
  options: {
    as?: Pick<MemberClient, 'cookie'>
    channels?: string[]
    /** By default the Appwrite API's socket. */
    path?: string
    query?: Record<string, string>
    headers?: Record<string, string>
  } = {},
): Promise<TestSocket> {
  const { path = '/v1/realtime' } = options
  const query = new URLSearchParams({
    ...(path === '/v1/realtime' ? { project: 'juntas' } : {}),
    ...options.query,
  })
  for (const channel of options.channels ?? []) query.append('channels[]', channel)
  const ws = new WebSocket(`${(await listenAndGetRealtimeUrl(app)).replace('/v1/realtime', path)}?${query}`, {
    headers: { ...(options.as ? { cookie: options.as.cookie } : {}), ...options.headers },
  })
  scanFrames(ws, app, options)
  const socket = watch(ws, app)
  await new Promise<void>((resolve, reject) => {
    ws.once('open', resolve)
    ws.once('error', reject)
  })
  await Promise.race([socket.until(() => true), socket.closed])
  return socket
}

/** The server may repeat the secrets of this text. */
const lastSentText = new WeakMap<WebSocket, string>()

function scanFrames(
  ws: WebSocket,
  app: FastifyInstance | string,
  { as, query = {} }: NonNullable<Parameters<typeof openTestSocket>[1]>,
): void {
  const scan = getAppLeakScan(app)
  if (!scan) return
  ws.on('message', async (bytes) => {
    const problems = await scan(String(bytes), {
      headers: { cookie: as?.cookie, ...query, lastSent: lastSentText.get(ws) },
      sentText: '',
    })
    if (problems.length > 0) throw new Error(`A socket received ${problems.join(', ')}: ${bytes}`)
  })
}

function watch(ws: WebSocket, app: FastifyInstance | string): TestSocket {
  const frames: WebSocketFrame[] = []
  const waiting = new Set<() => void>()
  ws.on('message', (bytes) => {
    frames.push(JSON.parse(String(bytes)))
    for (const look of waiting) look()
  })
  ws.on('error', () => {})
  const closed = new Promise<number>((resolve) => {
    ws.on('close', resolve)
  })
  const events = () =>
    frames.flatMap((frame) => (frame.type === 'event' ? [frame.data as unknown as AppwriteEventData] : []))
  const until = (fits: (frame: WebSocketFrame) => boolean) =>
    new Promise<WebSocketFrame>((resolve, reject) => {
      const look = () => {
        const found = frames.find(fits)
        if (!found) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`it never came; there were ${JSON.stringify(frames.map(summary))}`))
      }, patienceMs)
      waiting.add(look)
      look()
    })
  return {
    ws,
    app,
    frames,
    events,
    until,
    async event(collection, kind) {
      const frame = await until((one) => one.type === 'event' && isOf(one, collection, kind))
      return frame.data as unknown as AppwriteEventData
    },
    send(message) {
      const text = typeof message === 'string' ? message : JSON.stringify(message)
      lastSentText.set(ws, text)
      ws.send(text)
    },
    closed,
    get isOpen() {
      return ws.readyState === ws.OPEN
    },
    close: () => ws.close(),
  }
}

export async function collectSocketEvents(
  socket: TestSocket,
  someone: Pick<MemberClient, 'call'>,
): Promise<AppwriteEventData[]> {
  const seal = await loadSealOfApp(socket.app)
  const transactionOf = (position: unknown) => {
    const opened = typeof position === 'string' ? seal.open(position) : null
    if (!opened) throw new Error(`This is no position: ${JSON.stringify(position)}`)
    return opened.xid
  }
  // While other transactions run, the position stays behind and changes repeat.
  let now = (await someone.call(catchUpOperation, {})).position
  for (let past = 1; past > 0; await pause(past ? 250 : 0)) {
    const { changes, position } = await someone.call(catchUpOperation, { since: now })
    past = changes.length
    now = position
  }
  const target = transactionOf(now)
  const passed = (frame: WebSocketFrame) =>
    frame.type === 'pong' && transactionOf(frame.data?.position) >= target
  // The server would rate-limit more frequent pings.
  while (!socket.frames.some(passed)) {
    if (!socket.isOpen)
      throw new Error(`closed after ${JSON.stringify(socket.frames.slice(-5).map(summary))}`)
    socket.send({ type: 'ping' })
    await pause(250)
  }
  return socket.events()
}

const isOf = (frame: WebSocketFrame, collection: string, kind: string) =>
  (frame.data as unknown as AppwriteEventData).events[0]?.match(
    new RegExp(`\\.collections\\.${collection}\\.documents\\.[^.]+\\.${kind}$`),
  ) !== null

const summary = ({ type, data }: WebSocketFrame) => [
  type,
  (data as { events?: string[] } | undefined)?.events?.[0] ?? data,
]
