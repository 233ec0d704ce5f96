import { expect, test } from 'vitest'
import { formatClockTime, formatMessageDay, groupMessagesByDayAndSender } from './message-grouping.ts'

const at = (...parts: [number, number, number, number, number, number?]) => new Date(...parts)
const said = (senderId: string, time: Date) => ({ senderId, $createdAt: time.toISOString() })
const now = at(2026, 2, 10, 15, 0)

test('days are shown as Today, Yesterday or the date, with the year if it is not the current year', () => {
  expect(formatMessageDay(at(2026, 2, 10, 0, 1), now)).toBe('Today')
  expect(formatMessageDay(at(2026, 2, 9, 23, 59), now)).toBe('Yesterday')
  expect(formatMessageDay(at(2026, 2, 8, 12, 0), now)).toBe('Mar 8')
  expect(formatMessageDay(at(2025, 9, 21, 12, 0), now)).toBe('Oct 21, 2025')
})

test('messages of one sender within five minutes form a group; another sender, a pause or a new day starts the next group', () => {
  const placed = groupMessagesByDayAndSender(
    [
      said('ana', at(2026, 2, 9, 23, 58)),
      said('ana', at(2026, 2, 10, 0, 1)),
      said('ana', at(2026, 2, 10, 0, 3)),
      said('bea', at(2026, 2, 10, 0, 4)),
      said('bea', at(2026, 2, 10, 0, 9)),
    ],
    now,
  )
  expect(placed.map(({ first, last }) => [first, last])).toEqual([
    [true, true],
    [true, false],
    [false, true],
    [true, true],
    [true, true],
  ])
  expect(placed.map(({ day }) => day)).toEqual(['Yesterday', 'Today', undefined, undefined, undefined])
})

test('hours and minutes are shown with two digits each', () => {
  expect(formatClockTime(at(2026, 0, 1, 8, 4))).toBe('08:04')
})
