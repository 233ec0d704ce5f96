import { vi } from 'vitest'

/** Milliseconds until a hung test fails. */
export const patienceMs = 120_000

export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> =>
  vi.waitFor(check, { timeout: patienceMs })
