/** Stands in for the socket to `/v1/live`: connected at once, and a test sends what the server would. */
import type { CollectionChange, SocketServerFrame } from '#contract/realtime/realtime.ts'

class LiveSocketDouble extends EventTarget {
  static readonly OPEN = 1
  readyState = 1
  onmessage: ((event: { data: string }) => void) | null = null
  onclose: ((event: { code: number }) => void) | null = null

  send(): void {}

  close(): void {
    this.readyState = 3
  }
}

const NativeWebSocket = globalThis.WebSocket
let sockets: LiveSocketDouble[] = []

/** @param greets whether the server answers; without, the page never hears anything */
export function installLiveSocket(accountId: string, greets: boolean): () => void {
  globalThis.WebSocket = new Proxy(NativeWebSocket, {
    construct(target, args: [string]) {
      if (!String(args[0]).includes('/v1/live')) return Reflect.construct(target, args)
      const socket = new LiveSocketDouble()
      sockets.push(socket)
      if (greets)
        queueMicrotask(() =>
          deliver(socket, { type: 'connected', data: { accountId, position: '1' } } as SocketServerFrame),
        )
      return socket
    },
  })
  return () => {
    for (const socket of sockets) socket.close()
    sockets = []
    globalThis.WebSocket = NativeWebSocket
  }
}

const deliver = (socket: LiveSocketDouble, frame: SocketServerFrame) =>
  socket.onmessage?.({ data: JSON.stringify(frame) })

/** Sends a frame to every open socket of the page. */
function sendFrame(frame: SocketServerFrame): void {
  for (const socket of sockets) if (socket.readyState === 1) deliver(socket, frame)
}

/** Tells the page of a change. */
export const sendChange = (change: CollectionChange): void =>
  sendFrame({ type: 'change', data: { ...change, position: '2' } } as SocketServerFrame)
