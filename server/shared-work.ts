/** Work that many ask for at once is done once, and all get its result; afterwards it is forgotten. */
import { Failure } from './errors.ts'

/** @param unwanted aborted once nobody waits for the result any more: what has not begun by then need not begin */
type Work<T> = (unwanted: AbortSignal) => Promise<T>

/** @param left aborted when this one waits no longer; without it she waits to the end */
export type SharedWork<T> = (key: string, work: Work<T>, left?: AbortSignal) => Promise<T>

type Running<T> = { result: Promise<T>; unwanted: AbortSignal; join(left?: AbortSignal): void }

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Running<T>>()
  return async function share(key: string, work: Work<T>, left?: AbortSignal): Promise<T> {
    const under = running.get(key)
    if (under?.unwanted.aborted) {
      // What had begun goes on and is hers; what had not is asked for anew.
      return under.result.catch((thrown) => {
        if (thrown !== under.unwanted.reason) throw thrown
        return share(key, work, left)
      })
    }
    under?.join(left)
    if (under) return under.result
    const { unwanted, join } = waitersOf(left)
    const result = work(unwanted).finally(() => running.delete(key))
    running.set(key, { result, unwanted, join })
    return result
  }
}

function waitersOf(first?: AbortSignal): Pick<Running<unknown>, 'unwanted' | 'join'> {
  const nobody = new AbortController()
  let waiting = 0
  const leave = () => {
    waiting -= 1
    if (waiting === 0) nobody.abort(new Failure('general_service_unavailable', { retryAfter: 2 }))
  }
  const join = (left?: AbortSignal) => {
    waiting += 1
    if (left?.aborted) leave()
    else left?.addEventListener('abort', leave, { once: true })
  }
  join(first)
  return { unwanted: nobody.signal, join }
}
