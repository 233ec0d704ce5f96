/** Concurrent calls with the same key share one result, which is not kept. */
import { Failure } from '../errors.ts'

/** @param signal aborts when no caller waits; work that has not started need not start */
type Work<T> = (signal: AbortSignal) => Promise<T>

/** @param left aborts when this caller stops waiting */
export type SingleFlight<T> = (key: string, work: Work<T>, left?: AbortSignal) => Promise<T>

type Flight<T> = { result: Promise<T>; signal: AbortSignal; join(left?: AbortSignal): void }

export function createSingleFlight<T>(): SingleFlight<T> {
  const flights = new Map<string, Flight<T>>()
  return async function share(key: string, work: Work<T>, left?: AbortSignal): Promise<T> {
    const flight = flights.get(key)
    if (flight?.signal.aborted) {
      // Work that was abandoned after it started runs to its end, so this caller starts new work.
      return flight.result.catch((thrown) => {
        if (thrown !== flight.signal.reason) throw thrown
        return share(key, work, left)
      })
    }
    flight?.join(left)
    if (flight) return flight.result
    const { signal, join } = countWaiters(left)
    const result = work(signal).finally(() => flights.delete(key))
    flights.set(key, { result, signal, join })
    return result
  }
}

function countWaiters(first?: AbortSignal): Pick<Flight<unknown>, 'signal' | 'join'> {
  const abandoned = new AbortController()
  let waiting = 0
  const leave = () => {
    waiting -= 1
    if (waiting === 0) abandoned.abort(new Failure('general_service_unavailable', { retryAfter: 2 }))
  }
  const join = (left?: AbortSignal) => {
    waiting += 1
    if (left?.aborted) leave()
    else left?.addEventListener('abort', leave, { once: true })
  }
  join(first)
  return { signal: abandoned.signal, join }
}
