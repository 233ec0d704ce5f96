/** Runs before and after every component test. Unanswered requests fail the test. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { prepare, tearDown } from './open-app.tsx'

beforeEach(() => prepare())

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(await tearDown()).toEqual([])
})
