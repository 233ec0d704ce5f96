import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { createNewPostsThrottle, hasNewerPosts, newPostsThrottleMs } from './new-posts-check.ts'

const page = (...times: number[]) => ({
  documents: times.map((time) => ({ $id: `p${time}`, $createdAt: `2026-11-22T10:00:0${time}.000Z` }) as Post),
  next: null,
})
const list = (...times: number[]) => ({ pages: [page(...times)], pageParams: [undefined] })

test('HOME-21 only posts newer than the loaded ones count as new, not older or edited ones', () => {
  expect(hasNewerPosts(list(5, 3), page(6, 5, 3))).toBe(true)
  expect(hasNewerPosts(list(5, 3), page(5, 4, 3))).toBe(false)
  expect(hasNewerPosts(list(), page(1))).toBe(true)
  expect(hasNewerPosts(undefined, page(1))).toBe(false)
})

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { visibilityState: 'visible' })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('HOME-21 the list is checked immediately, then at most every 30 s, and never while the page is hidden', async () => {
  const work = vi.fn(() => Promise.resolve())
  const { run, stop } = createNewPostsThrottle(work)
  for (let post = 0; post < 50; post += 1) run()
  await vi.advanceTimersByTimeAsync(0)
  expect(work).toHaveBeenCalledTimes(1)
  for (let post = 0; post < 50; post += 1) run()
  await vi.advanceTimersByTimeAsync(newPostsThrottleMs - 1)
  expect(work).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(work).toHaveBeenCalledTimes(2)
  vi.stubGlobal('document', { visibilityState: 'hidden' })
  run()
  await vi.advanceTimersByTimeAsync(newPostsThrottleMs)
  expect(work).toHaveBeenCalledTimes(2)
  stop()
})
