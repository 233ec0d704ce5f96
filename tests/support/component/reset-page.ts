/** Around every component test: a page and a server that know nothing, and no request left unanswered. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { prepare, tearDown } from './open-app.tsx'

beforeEach(() => prepare())

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(await tearDown()).toEqual([])
})
