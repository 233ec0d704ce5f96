import { vi } from 'vitest'

/** Waits until the check holds, for fifteen seconds at most. What takes longer, such as a process that starts, says so itself. */
export const waitFor = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 15_000 })
