/** A fake socket that connects immediately. */
import type {
  CollectionChange,
  SocketClientFrame,
  SocketServerFrame,
  TypingSignal,
} from '#contract/realtime/realtime.ts'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'

class LiveSocketDouble extends EventTarget {
  static readonly OPEN = 1
  readyState = 1
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  send(frame: string): void {
    received.push(JSON.parse(frame))
  }

  close(): void {
    this.readyState = 3
  }
}

const NativeWebSocket = globalThis.WebSocket
let sockets: LiveSocketDouble[] = []
let received: SocketClientFrame[] = []
let early: SocketServerFrame[] = []
let accepts = true

/** @param greets sends `connected`; otherwise the server stays silent */
export function installLiveSocket(accountId: string, greets: boolean): () => void {
  accepts = true
  globalThis.WebSocket = new Proxy(NativeWebSocket, {
    construct(target, args: [string]) {
      if (!String(args[0]).includes('/v1/live')) return Reflect.construct(target, args)
      const socket = new LiveSocketDouble()
      sockets.push(socket)
      if (greets)
        queueMicrotask(() => {
          if (accepts) {
            deliver(socket, { type: 'connected', data: { accountId, position: '1' } } as SocketServerFrame)
            for (const frame of early.splice(0)) deliver(socket, frame)
          } else socket.onclose?.({ code: socketCloseCodes.tryLater })
        })
      return socket
    },
  })
  return () => {
    for (const socket of sockets) socket.close()
    sockets = []
    received = []
    early = []
    globalThis.WebSocket = NativeWebSocket
  }
}

const deliver = (socket: LiveSocketDouble, frame: SocketServerFrame) =>
  socket.onmessage?.({ data: JSON.stringify(frame) })

/** Sends to every open socket, or later to the first one. */
function sendFrame(frame: SocketServerFrame): void {
  if (sockets.length === 0) early.push(frame)
  for (const socket of sockets) if (socket.readyState === 1) deliver(socket, frame)
}

export const sendChange = (change: CollectionChange): void =>
  sendFrame({ type: 'change', data: { ...change, position: '2' } } as SocketServerFrame)

export const sendTyping = (data: TypingSignal): void => sendFrame({ type: 'typing', data })

export const receivedFrames = (): readonly SocketClientFrame[] => received

export const countSockets = (): number => sockets.length

export function refuseSockets(code: number): void {
  accepts = false
  if (code === socketCloseCodes.goAway) sendFrame({ type: 'error', data: { code, message: 'Go away' } })
  for (const socket of sockets.filter(({ readyState }) => readyState === 1)) {
    socket.readyState = 3
    socket.onclose?.({ code })
  }
}

export function acceptSockets(): void {
  accepts = true
}
