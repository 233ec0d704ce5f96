import { expect, vi } from 'vitest'

/** Advances the clock past a query's three retries. */
export async function passQueryRetries(isShown: () => boolean): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await expect
    .poll(() => {
      vi.advanceTimersByTime(4000)
      return isShown()
    })
    .toBe(true)
  vi.useRealTimers()
}
