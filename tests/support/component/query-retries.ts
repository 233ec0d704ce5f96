import { expect, vi } from 'vitest'

/** A query has three retries. */
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
