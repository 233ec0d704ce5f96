/** Bounded concurrency with a bounded queue: the rest is refused at once instead of waiting for ever. */

export type Turns = <T>(work: () => Promise<T>) => Promise<T>

/** @param full called, and expected to throw, when as many as `waiting` wait already. */
export function createTurns({
  atOnce,
  waiting,
  full,
}: {
  atOnce: number
  waiting: number
  full: () => never
}): Turns {
  let running = 0
  const queue: (() => void)[] = []
  return async (work) => {
    if (running >= atOnce) {
      if (queue.length >= waiting) full()
      await new Promise<void>((turn) => queue.push(turn))
    } else {
      running += 1
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running -= 1
    }
  }
}
