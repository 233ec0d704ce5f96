import { expect, test } from 'vitest'
import { ApiError } from '#web/api/client.ts'
import { refusalOf } from './refusal.tsx'

test.each([
  [new ApiError('Ya pediste una revisión', 409, 'appeal_exists'), 'Ya pediste una revisión', 'es'],
  [new ApiError('Too many requests', 429, 'general_rate_limit_exceeded'), 'Too many requests', undefined],
  [
    new ApiError('Server Error', 500, 'general_unknown'),
    'Something went wrong. Please try again.',
    undefined,
  ],
  [new ApiError('Network request failed'), 'Something went wrong. Please try again.', undefined],
])('MOD-18 %s is said in its own language', (error, text, lang) => {
  expect(refusalOf(error)).toEqual(lang ? { text, lang } : { text })
})
