import { expect, test } from 'vitest'
import { maxMarkedNotifications } from '#contract/limits.ts'
import type { Notification } from '#contract/notifications/notifications.ts'
import { collapseLikeBursts, groupNotificationsByDay, notificationDayOf } from './notification-grouping.ts'

const liked = (id: string, at: string, by = 'Bea', change: Partial<Notification> = {}): Notification => ({
  $id: id,
  kind: 'like',
  at,
  seq: 1,
  unread: true,
  people: [{ $id: by, name: by, username: by, imageUrl: '', imageId: null }],
  count: 1,
  post: { $id: `post-${id}`, imageUrl: '', imageId: 'i' },
  comment: null,
  group: null,
  request: null,
  conversationId: null,
  device: null,
  ...change,
})
const minutes = (n: number) => new Date(Date.UTC(2026, 10, 23, 12) - n * 60_000).toISOString()

test('NOT-03 three or more posts that one member liked within an hour are collapsed into one row', () => {
  const six = [0, 5, 10, 20, 30, 59].map((n) => liked(`l${n}`, minutes(n)))
  expect(collapseLikeBursts(six)).toMatchObject([{ $id: 'l0', posts: 6, ids: six.map(({ $id }) => $id) }])
  expect(collapseLikeBursts(six.slice(0, 2)).map(({ posts }) => posts)).toEqual([1, 1])
})

test('NOT-03 a row collapses at most as many posts as one request can mark as read', () => {
  const many = Array.from({ length: 60 }, (_, n) => liked(`l${n}`, minutes(n / 2)))
  expect(collapseLikeBursts(many).map(({ ids }) => ids.length)).toEqual([maxMarkedNotifications, 10])
})

test('NOT-03 likes by another member, in another hour, by two members or already read are not collapsed', () => {
  const apart = [
    [liked('a', minutes(0)), liked('b', minutes(1), 'Cora'), liked('c', minutes(2))],
    [liked('a', minutes(0)), liked('b', minutes(40)), liked('c', minutes(61))],
    [liked('a', minutes(0)), liked('b', minutes(1), 'Bea', { count: 2 }), liked('c', minutes(2))],
    [liked('a', minutes(0)), liked('b', minutes(1), 'Bea', { unread: false }), liked('c', minutes(2))],
  ]
  for (const rows of apart) expect(collapseLikeBursts(rows).map(({ posts }) => posts)).toEqual([1, 1, 1])
})

test('NOT-12 notifications are grouped by days of the member’s time zone, even when clocks change', () => {
  const now = new Date(2026, 2, 30, 9)
  const at = (days: number, hour = 12) => new Date(2026, 2, 30 - days, hour)
  expect(
    [at(0, 0), at(1, 23), at(1, 0), at(2), at(6, 0), at(7, 23), at(80)].map((time) =>
      notificationDayOf(time, now),
    ),
  ).toEqual(['Today', 'Yesterday', 'Yesterday', 'This week', 'This week', 'Earlier', 'Earlier'])
  expect(notificationDayOf(new Date(2026, 2, 31), now)).toBe('Today')
  expect(
    groupNotificationsByDay([{ at: at(0).toISOString() }, { at: at(8).toISOString() }], now).map(
      ([day]) => day,
    ),
  ).toEqual(['Today', 'Earlier'])
})
