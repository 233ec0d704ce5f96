/** Work in order where order matters, together where it can be, and side by side otherwise. */
import { createTurns } from './turns.ts'

/** @throws what the work on the item threw */
export type Lanes<Item> = (key: string, item: Item) => Promise<void>

/**
 * Items of one key are worked on in the order given: at most `together` of those that wait, at once. Of different keys at
 * most `atOnce` are worked on side by side.
 */
export function createLanes<Item>(given: {
  atOnce: number
  together: number
  work: (items: readonly Item[]) => Promise<void>
}): Lanes<Item> {
  const turns = createTurns({ atOnce: given.atOnce, waiting: Number.POSITIVE_INFINITY, full: unreachable })
  const lanes = new Map<string, Waiting<Item>[]>()

  const workOn = async (some: Waiting<Item>[]) => {
    try {
      await given.work(some.map(({ item }) => item))
      for (const { done } of some) done()
    } catch (error) {
      for (const { failed } of some) failed(error)
    }
  }

  const run = async (key: string, lane: Waiting<Item>[]) => {
    // What is given in the same breath goes together.
    await null
    while (lane.length > 0) await turns(() => workOn(lane.splice(0, given.together)))
    lanes.delete(key)
  }

  return (key, item) =>
    new Promise((done, failed) => {
      const waiting = { item, done, failed }
      const lane = lanes.get(key)
      if (lane) lane.push(waiting)
      else {
        const opened = [waiting]
        lanes.set(key, opened)
        void run(key, opened)
      }
    })
}

type Waiting<Item> = { item: Item; done: () => void; failed: (error: unknown) => void }

function unreachable(): never {
  throw new RangeError('a lane has no end')
}
