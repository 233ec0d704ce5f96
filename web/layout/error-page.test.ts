import { expect, test } from 'vitest'
import { formatErrorReason } from './error-page.tsx'

test('ERR-02 a thrown response is told by its status, an error by its message', () => {
  expect(formatErrorReason(new Response(null, { status: 404, statusText: 'Not Found' }))).toBe(
    '404 Not Found',
  )
  expect(formatErrorReason(new Response(null, { status: 503 }))).toBe('503')
  expect(formatErrorReason(new Error('The shelf fell down'))).toBe('The shelf fell down')
  expect(formatErrorReason('just a text')).toBe('just a text')
})
