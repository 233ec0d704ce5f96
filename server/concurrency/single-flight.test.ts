import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

/** Returns work that starts on demand. If the work is abandoned before it starts, it never runs. */
function queued() {
  const share = createSingleFlight<string>()
  let times = 0
  let begin = () => {}
  const work = (unwanted: AbortSignal) => {
    times += 1
    const made = `made ${times}`
    return new Promise<string>((resolve, reject) => {
      let begun = false
      begin = () => {
        begun = true
        queueMicrotask(() => resolve(made))
      }
      unwanted.addEventListener('abort', () => !begun && reject(unwanted.reason))
    })
  }
  return { ask: (left?: AbortSignal) => share('picture', work, left), begin: () => begin() }
}

test('D07 shared work is dropped when both ana and bea leave, and not when only ana leaves', async () => {
  const { ask, begin } = queued()
  const [ana, bea] = [new AbortController(), new AbortController()]
  const first = ask(ana.signal)
  const second = ask(bea.signal)
  ana.abort()
  begin()
  expect(await Promise.all([first, second])).toEqual(['made 1', 'made 1'])

  const again = queued()
  const both = [new AbortController(), new AbortController()]
  const asked = both.map(({ signal }) => again.ask(signal))
  for (const each of both) each.abort()
  for (const each of asked) await expect(each).rejects.toMatchObject({ status: 503 })
})

test('D07 a caller who arrives while work is being dropped still gets a result', async () => {
  const { ask, begin } = queued()
  const ana = new AbortController()
  const first = ask(ana.signal)
  ana.abort()
  const second = ask()
  await expect(first).rejects.toMatchObject({ status: 503 })
  await new Promise(setImmediate)
  begin()
  expect(await second).toBe('made 2')
})

test('work that has started continues when ana leaves, and bea gets its result', async () => {
  const { ask, begin } = queued()
  const ana = new AbortController()
  void ask(ana.signal)
  begin()
  ana.abort()
  expect(await ask()).toBe('made 1')
})

test('a caller without an abort signal keeps the work alive when others leave', async () => {
  const { ask, begin } = queued()
  const ana = new AbortController()
  const cleos = ask()
  void ask(ana.signal)
  ana.abort()
  begin()
  expect(await cleos).toBe('made 1')
})
