import { vi } from 'vitest'

/** A hung test fails after this many milliseconds. */
export const patienceMs = 120_000

export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patienceMs })
