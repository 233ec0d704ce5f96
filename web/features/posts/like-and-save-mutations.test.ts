import { describe, expect, test } from 'vitest'
import { createOptimisticToggle } from './like-and-save-mutations.ts'

function switchOn(on: boolean) {
  const sent: boolean[] = []
  const shown: boolean[] = []
  const answers: PromiseWithResolvers<void>[] = []
  const rest = Promise.withResolvers<void>()
  let rollbacks = 0
  const press = createOptimisticToggle({
    on,
    show: (next) => shown.push(next),
    send: (next) => {
      sent.push(next)
      const answer = Promise.withResolvers<void>()
      answers.push(answer)
      return answer.promise
    },
    onRollback: () => {
      rollbacks += 1
    },
    onRest: rest.resolve,
  })
  const answered = async (step: number, how: 'ok' | 'failed') => {
    if (how === 'ok') answers[step]?.resolve()
    else answers[step]?.reject(new Error('no'))
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { press, sent, shown, answered, rest: rest.promise, rollbacks: () => rollbacks }
}

describe('LIKE-11 pressing faster than the server answers', () => {
  test('one press is shown before it is sent, and sent once', async () => {
    const heart = switchOn(false)
    heart.press()
    expect(heart.shown).toEqual([true])
    expect(heart.sent).toEqual([true])
    await heart.answered(0, 'ok')
    await heart.rest
    expect(heart.sent).toEqual([true])
  })

  test('two presses are sent one after the other and end in the initial state', async () => {
    const heart = switchOn(false)
    heart.press()
    heart.press()
    expect(heart.shown).toEqual([true, false])
    expect(heart.sent).toEqual([true])
    await heart.answered(0, 'ok')
    expect(heart.sent).toEqual([true, false])
    await heart.answered(1, 'ok')
    await heart.rest
  })

  test('three presses send one request, because the first already set the final state', async () => {
    const heart = switchOn(false)
    for (let press = 0; press < 3; press++) heart.press()
    await heart.answered(0, 'ok')
    await heart.rest
    expect(heart.sent).toEqual([true])
    expect(heart.shown.at(-1)).toBe(true)
  })
})

describe('LIKE-06 failed toggles', () => {
  test('a failed toggle is undone and can be retried', async () => {
    const heart = switchOn(true)
    heart.press()
    await heart.answered(0, 'failed')
    await heart.rest
    expect(heart.shown).toEqual([false, true])
    expect(heart.rollbacks()).toBe(1)
    heart.press()
    expect(heart.sent).toEqual([false, false])
  })

  test('a failed toggle returns to the last confirmed state, not to the state before the first press', async () => {
    const heart = switchOn(false)
    heart.press()
    heart.press()
    await heart.answered(0, 'ok')
    await heart.answered(1, 'failed')
    await heart.rest
    expect(heart.shown.at(-1)).toBe(true)
    expect(heart.rollbacks()).toBe(1)
  })

  test('after a failed toggle a newer press is still sent, even if it seems to change nothing', async () => {
    const heart = switchOn(false)
    heart.press()
    heart.press()
    await heart.answered(0, 'failed')
    expect(heart.sent).toEqual([true, false])
    await heart.answered(1, 'ok')
    await heart.rest
    expect(heart.shown.at(-1)).toBe(false)
    expect(heart.rollbacks()).toBe(0)
  })
})
