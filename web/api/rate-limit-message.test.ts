import { expect, test } from 'vitest'
import { ApiError } from './client.ts'
import { describeTooManyAttempts, readRetryAfter } from './rate-limit-message.ts'

const refusal = (retryAfter?: number) => Object.assign(new ApiError('Rate limit', 429), { retryAfter })

test.each([
  [1, '1 minute', '1 minuto'],
  [60, '1 minute', '1 minuto'],
  [61, '2 minutes', '2 minutos'],
  [3540, '59 minutes', '59 minutos'],
  [3541, '1 hour', '1 hora'],
  [86_400, '24 hours', '24 horas'],
])('a rate limit of %d s is shown as “%s” in English and “%s” in Spanish', (seconds, english, spanish) => {
  expect(readRetryAfter(refusal(seconds))).toEqual({ english, spanish })
})

test('if the delay is unknown, the message asks ana to try again in a while', () => {
  for (const error of [refusal(), refusal(0), refusal(Number.NaN), new Error('nothing')]) {
    expect(readRetryAfter(error)).toBeUndefined()
    expect(describeTooManyAttempts(error)).toBe('Too many attempts. Try again in a while.')
  }
  expect(describeTooManyAttempts(refusal(90))).toBe('Too many attempts. Try again in 2 minutes.')
})
