import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createKeyedBatchQueue } from './keyed-batch-queue.ts'

test('items of one key keep their order, also after failures, and waiting items share a batch', async () => {
  const done: string[][] = []
  let running = 0
  let most = 0
  const { promise: gate, resolve: open } = Promise.withResolvers<void>()
  const enqueue = createKeyedBatchQueue<string>({
    concurrency: 2,
    batchSize: 3,
    async work(items) {
      running += 1
      most = Math.max(most, running)
      await gate
      await nextTurn()
      running -= 1
      if (items.includes('a4')) throw new Error('a4')
      done.push([...items])
    },
  })
  const together = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((item) => enqueue(item[0] ?? '', item))
  await nextTurn()
  const later = ['a5', 'b2'].map((item) => enqueue(item[0] ?? '', item))
  open()
  const results = await Promise.allSettled([...together, ...later])
  const failed = results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))
  // The items a4 and a5 share a batch, which fails.
  expect(failed).toEqual([3, 6])
  expect(done.filter(([item]) => item?.startsWith('a'))).toEqual([['a1', 'a2', 'a3']])
  expect(done.filter(([item]) => item?.startsWith('b'))).toEqual([['b1'], ['b2']])
  expect(most).toBe(2)
  await enqueue('a', 'a6')
  expect(done.at(-1)).toEqual(['a6'])
})
