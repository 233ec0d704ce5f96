import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { coalesceCalls } from './coalesce.ts'

test('calls made during a run share one later run', async () => {
  let runs = 0
  const run = coalesceCalls(async () => {
    runs += 1
    await nextTurn()
  })
  await Promise.all([run(), run(), run()])
  expect(runs).toBe(2)
  await run()
  expect(runs).toBe(3)
})

test('runs of a coalesced function never overlap', async () => {
  let running = 0
  let most = 0
  const run = coalesceCalls(async () => {
    running += 1
    most = Math.max(most, running)
    await nextTurn()
    running -= 1
  })
  const call = () => run().then(run)
  await Promise.all([call(), call().then(call), call()])
  expect(most).toBe(1)
})

test('a coalesced run does not inherit the async context of its caller', async () => {
  const caller = new AsyncLocalStorage<string>()
  const seen: (string | undefined)[] = []
  const run = coalesceCalls(async () => {
    seen.push(caller.getStore())
  })
  await caller.run('ana', run)
  expect(seen).toEqual([undefined])
})
