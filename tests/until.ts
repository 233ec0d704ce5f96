import { vi } from 'vitest'

/** Waits until the check holds. A slow machine may take its time: the end of patience is no measure. */
export const until = <T>(check: () => T | Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 20_000 })
