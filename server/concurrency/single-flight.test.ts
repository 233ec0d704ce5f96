import { expect, test } from 'vitest'
import { createSingleFlight } from './single-flight.ts'

/** Work that waits for its turn until it is told to begin, and is dropped when nobody wants it before. */
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

test('D07 what ana and bea wait for is dropped when both are gone, not when one is', async () => {
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

test('D07 who asks for what was dropped in this very moment gets it all the same', async () => {
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

test('what had begun when ana went goes on, and is what bea gets', async () => {
  const { ask, begin } = queued()
  const ana = new AbortController()
  void ask(ana.signal)
  begin()
  ana.abort()
  expect(await ask()).toBe('made 1')
})

test('who waits without an end keeps the work, whoever leaves', async () => {
  const { ask, begin } = queued()
  const ana = new AbortController()
  const cleos = ask()
  void ask(ana.signal)
  ana.abort()
  begin()
  expect(await cleos).toBe('made 1')
})
