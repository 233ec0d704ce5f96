import { onTestFinished, vi } from 'vitest'

/**
 * Stops the clock and the timeouts of this process until the test ends, so that no rate-limit window ends on a slow
 * machine. PostgreSQL and Redis have their own clocks.
 */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
}
