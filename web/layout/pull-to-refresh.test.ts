import { expect, test } from 'vitest'
import { isPullToRefreshPath } from './pull-to-refresh.tsx'

test.each([
  ['/', true],
  ['/groups', true],
  ['/groups/create', false],
  ['/groups/g1', true],
  ['/groups/g1/requests', true],
  ['/profile/p1/liked-posts', true],
  ['/update-post/p1', false],
  ['/chat/c1', false],
  ['/nowhere', false],
])('NAV-15 pulling down on %s reloads its lists: %s', (pathname, reloads) => {
  expect(isPullToRefreshPath(pathname)).toBe(reloads)
})
