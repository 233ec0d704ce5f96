import { expect, test } from 'vitest'
import { getReconnectDelayMs } from './reconnect-delay.ts'

test.each([
  ['RT-07 attempts 1 to 5 wait a second', 1, 5, 1000],
  ['RT-08 attempts 6 to 15 wait five', 6, 15, 5000],
  ['RT-09 attempts 16 to 100 wait ten', 16, 100, 10_000],
  ['RT-10 from attempt 101 on it is a minute', 101, 500, 60_000],
])('%s', (_sentence, first, last, delay) => {
  for (let attempt = first; attempt <= last; attempt++) expect(getReconnectDelayMs(attempt)).toBe(delay)
})
