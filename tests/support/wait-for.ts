import { vi } from 'vitest'

/** Ends a test that hangs, in milliseconds. No test that passes depends on it, however slow the machine is. */
export const patienceMs = 120_000

/** Waits until the check holds. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patienceMs })
