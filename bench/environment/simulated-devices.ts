import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { liveSocketPath } from '#contract/realtime/realtime.ts'
import { type BenchLike, sendRequestWithCookie } from './like-load.ts'

/** The web app has the same delays. Each batch causes one request, in a burst one per `maxBatchDelayMs`. */
const batchDelayMs = 30
const maxBatchDelayMs = 250
/** If an author receives several likes at once, their events are ambiguous, so these likes do not count for this long. */
const unclearMs = 3000
const notificationFrame = '{"type":"change","data":{"collection":"notifications"'

/** Milliseconds after the response to the like. Infinite if the event or the badge did not arrive. */
export type LikeDelays = { received: number[]; shown: number[] }

export type SimulatedDevices = AsyncDisposable & {
  onLike(like: BenchLike): () => void
  /** Whether devices request the count after an event. */
  setAsking(asking: boolean): void
  /** Returns the delays since the last call. @throws if a device failed */
  takeLags(): LikeDelays
}

type Waiting = { answeredAt: number | null; receivedAt: number }
type Device = {
  waiting: Waiting | null
  clearAt: number
  toShow: Waiting[]
  isAsking: boolean
  askedAt: number
}

/**
 * @param members keys of members with a device
 * @param cookies of all members by key
 */
export async function openSimulatedDevices(
  serverUrl: string,
  members: readonly number[],
  cookies: readonly string[],
): Promise<SimulatedDevices> {
  const devices = new Map<number, Device>()
  const sockets = new Set<WebSocket>()
  const asks = new Set<Promise<void>>()
  const failures: unknown[] = []
  let lags: LikeDelays = { received: [], shown: [] }
  let asking = true
  let closing = false

  const ask = async (device: Device, cookie: string) => {
    await pause(Math.max(batchDelayMs, device.askedAt + maxBatchDelayMs - performance.now()))
    device.isAsking = false
    device.askedAt = performance.now()
    const toShow = device.toShow.splice(0)
    await sendRequestWithCookie(`${serverUrl}/v1/notifications/counts`, 'GET', cookie)
    for (const { answeredAt, receivedAt } of toShow)
      lags.shown.push(performance.now() - (answeredAt ?? receivedAt))
  }
  const receive = (device: Device, cookie: string) => {
    const { waiting } = device
    device.waiting = null
    if (waiting) {
      waiting.receivedAt = performance.now()
      lags.received.push(waiting.receivedAt - (waiting.answeredAt ?? waiting.receivedAt))
      if (asking) device.toShow.push(waiting)
    }
    if (!asking || device.isAsking) return
    device.isAsking = true
    const asked = ask(device, cookie)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => asks.delete(asked))
    asks.add(asked)
  }
  const listen = async (member: number) => {
    const device = devices.get(member) as Device
    const cookie = cookies[member] ?? ''
    const socket = new WebSocket(`${serverUrl.replace('http', 'ws')}/v1${liveSocketPath}`, {
      headers: { cookie },
    })
    sockets.add(socket)
    await new Promise<void>((resolve, reject) => {
      socket.once('message', () => resolve())
      socket.once('error', reject)
    })
    socket.on('message', (bytes: Buffer) => {
      if (bytes.toString('latin1', 0, notificationFrame.length) === notificationFrame) receive(device, cookie)
    })
    socket.on('close', () => {
      sockets.delete(socket)
      if (closing) return
      // The server closes sockets after half an hour. Events missed meanwhile do not count.
      device.waiting = null
      device.clearAt = performance.now() + unclearMs
      listen(member).catch((error: unknown) => void failures.push(error))
    })
  }
  for (const member of members) {
    devices.set(member, { waiting: null, clearAt: 0, toShow: [], isAsking: false, askedAt: 0 })
    await listen(member)
  }

  return {
    onLike({ author }) {
      const device = devices.get(author)
      const now = performance.now()
      if (!device || now < device.clearAt) return () => {}
      if (device.waiting) {
        device.clearAt = now + unclearMs
        return () => {}
      }
      const waiting: Waiting = { answeredAt: null, receivedAt: 0 }
      device.waiting = waiting
      return () => {
        waiting.answeredAt = performance.now()
      }
    },
    setAsking(value) {
      asking = value
    },
    takeLags() {
      if (failures.length > 0) throw failures[0]
      const { received, shown } = lags
      for (const device of devices.values()) {
        if (device.waiting) received.push(Number.POSITIVE_INFINITY)
        device.waiting = null
      }
      lags = { received: [], shown: [] }
      return { received, shown }
    },
    async [Symbol.asyncDispose]() {
      closing = true
      for (const socket of sockets) socket.terminate()
      await Promise.all(asks)
    },
  }
}
