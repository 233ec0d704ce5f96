/** Keeping sockets alive, letting go of those that are not, and letting go of all when the server stops. */
import { setTimeout as pause } from 'node:timers/promises'
import { closeCodes } from '#contract/live.ts'
import type { Socket } from './realtime-socket.ts'

/** Seconds. Each socket has its own second of the round, so that thousands are not pinged at once. */
const pingEvery = 20
const oldest = 30 * 60
const mostUnanswered = 2
/** Stopping: sockets let go of a second, so that they do not all come back at once, for at most so many seconds. */
const letGoPerSecond = 500
const drainSeconds = 10
/** Milliseconds for the last of them to say goodbye. */
const goodbye = 1000

export type Lifetimes = {
  add(socket: Socket): void
  remove(socket: Socket): void
  /** Closes all with 1012, and ends the rounds. */
  drain(): Promise<void>
}

export function createLifetimes(): Lifetimes {
  const sockets = new Map<Socket, { number: number; born: number }>()
  let added = 0
  let seconds = 0

  const everySecond = () => {
    seconds += 1
    for (const [socket, { number, born }] of sockets) {
      if (number % pingEvery !== seconds % pingEvery) continue
      if (socket.ping() >= mostUnanswered) socket.terminate()
      else if (seconds - born > oldest) socket.close(closeCodes.refresh)
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
      const perSecond = Math.max(letGoPerSecond, Math.ceil(all.length / drainSeconds))
      for (let from = 0; from < all.length; from += perSecond) {
        if (from > 0) await pause(1000)
        for (const socket of all.slice(from, from + perSecond)) socket.close(closeCodes.restarting)
      }
      for (let waited = 0; sockets.size > 0 && waited < goodbye; waited += 20) await pause(20)
      for (const socket of sockets.keys()) socket.terminate()
    },
  }
}
