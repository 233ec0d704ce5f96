import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './client.ts'
import { calculateRetryDelayMs, shouldRetry, withRetries } from './retry.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const noAnswer = new ApiError('Network request failed')
const broken = new ApiError('Server Error', 500)
const refused = new ApiError('No', 404)

test('CACHE-02 the retry delays are 1, 2 and 4 s, and never more than 30 s', () => {
  expect([0, 1, 2, 5, 20].map(calculateRetryDelayMs)).toEqual([1000, 2000, 4000, 30_000, 30_000])
})

test('CACHE-02 a missing response or a server error is retried three times, a refusal never', () => {
  for (const error of [noAnswer, broken, new TypeError('anything else')]) {
    expect([0, 1, 2, 3].map((failures) => shouldRetry(failures, error))).toEqual([true, true, true, false])
  }
  for (const code of [400, 401, 403, 404, 409, 429, 499]) {
    expect(shouldRetry(0, new ApiError('No', code))).toBe(false)
  }
})

test('retrying ends with the first successful response, after the delays between attempts', async () => {
  const asked: number[] = []
  const answer = withRetries(async () => {
    asked.push(Date.now())
    if (asked.length < 4) throw noAnswer
    return 'at last'
  })
  await vi.runAllTimersAsync()
  expect(await answer).toBe('at last')
  expect(asked.map((time) => time - (asked[0] ?? 0))).toEqual([0, 1000, 3000, 7000])
})

test('retrying stops after the third delay, and immediately after a refusal', async () => {
  const failing = expect(withRetries(() => Promise.reject(broken))).rejects.toBe(broken)
  await vi.runAllTimersAsync()
  await failing
  const refusing = vi.fn(() => Promise.reject(refused))
  await expect(withRetries(refusing)).rejects.toBe(refused)
  expect(refusing).toHaveBeenCalledOnce()
})

test('PWA-04 while the browser is offline nothing is retried', async () => {
  vi.stubGlobal('navigator', { onLine: false })
  const failing = vi.fn(() => Promise.reject(noAnswer))
  await expect(withRetries(failing)).rejects.toBe(noAnswer)
  expect(failing).toHaveBeenCalledOnce()
})
