/** Resets page and server around every component test, and fails on unanswered requests. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { prepare, tearDown } from './open-app.tsx'

beforeEach(() => prepare())

afterEach(async () => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  expect(await tearDown()).toEqual([])
})
