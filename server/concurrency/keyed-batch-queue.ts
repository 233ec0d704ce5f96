import pLimit from 'p-limit'

/** The promise settles with the item's batch. */
export type KeyedBatchQueue<Item> = (key: string, item: Item) => Promise<void>

/** Batches of the same key run in order. At most `concurrency` batches run at a time. */
export function createKeyedBatchQueue<Item>(given: {
  concurrency: number
  batchSize: number
  work: (items: readonly Item[]) => Promise<void>
}): KeyedBatchQueue<Item> {
  const limit = pLimit(given.concurrency)
  const queues = new Map<string, Waiting<Item>[]>()

  const process = async (batch: Waiting<Item>[]) => {
    try {
      await given.work(batch.map(({ item }) => item))
      for (const { done } of batch) done()
    } catch (error) {
      for (const { failed } of batch) failed(error)
    }
  }

  const drain = async (key: string, queue: Waiting<Item>[]) => {
    // Items of the same tick share a batch.
    await null
    while (queue.length > 0) await limit(() => process(queue.splice(0, given.batchSize)))
    queues.delete(key)
  }

  return (key, item) =>
    new Promise((done, failed) => {
      const waiting = { item, done, failed }
      const queue = queues.get(key)
      if (queue) queue.push(waiting)
      else {
        const opened = [waiting]
        queues.set(key, opened)
        void drain(key, opened)
      }
    })
}

type Waiting<Item> = { item: Item; done: () => void; failed: (error: unknown) => void }
