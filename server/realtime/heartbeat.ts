import { setTimeout as pause } from 'node:timers/promises'
import { socketCloseCodes } from '#contract/realtime/socket-close-codes.ts'

export type HeartbeatSocket = {
  close(code: number): void
  terminate(): void
  /** Sends a ping and returns how many pings are unanswered. */
  ping(): number
}

/** The interval in seconds. Pings are spread over it. */
const pingEvery = 20
const oldest = 30 * 60
const mostUnanswered = 2
/**
 * Closes this many sockets per second, or more to finish within `drainSeconds`, so that clients do not all
 * reconnect at once.
 */
const closedPerSecond = 500
const drainSeconds = 10
/** The last sockets at shutdown get this long to close. */
const closeTimeoutMs = 1000

export type Heartbeat = {
  add(socket: HeartbeatSocket): void
  remove(socket: HeartbeatSocket): void
  drain(): Promise<void>
}

export function createHeartbeat(): Heartbeat {
  const sockets = new Map<HeartbeatSocket, { number: number; born: number }>()
  let added = 0
  let seconds = 0

  const everySecond = () => {
    seconds += 1
    for (const [socket, { number, born }] of sockets) {
      if (number % pingEvery !== seconds % pingEvery) continue
      if (socket.ping() >= mostUnanswered) socket.terminate()
      else if (seconds - born > oldest) socket.close(socketCloseCodes.refresh)
    }
  }
  const timer = setInterval(everySecond, 1000)
  timer.unref()

  return {
    add(socket) {
      added += 1
      sockets.set(socket, { number: added, born: seconds })
    },
    remove: (socket) => void sockets.delete(socket),
    async drain() {
      clearInterval(timer)
      const all = [...sockets.keys()]
      const perSecond = Math.max(closedPerSecond, Math.ceil(all.length / drainSeconds))
      for (let from = 0; from < all.length; from += perSecond) {
        if (from > 0) await pause(1000)
        for (const socket of all.slice(from, from + perSecond)) socket.close(socketCloseCodes.restarting)
      }
      for (let waited = 0; sockets.size > 0 && waited < closeTimeoutMs; waited += 20) await pause(20)
      for (const socket of sockets.keys()) socket.terminate()
    },
  }
}
