/** The retries of a query on a page whose server fails. */
import { expect, vi } from 'vitest'

/** Lets the three retries of a query run out. */
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
