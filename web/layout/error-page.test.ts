import { expect, test } from 'vitest'
import { formatErrorPageReason } from './error-page.tsx'

test('ERR-02 the error page shows the status of a thrown response, or the message of an error', () => {
  expect(formatErrorPageReason(new Response(null, { status: 404, statusText: 'Not Found' }))).toBe(
    '404 Not Found',
  )
  expect(formatErrorPageReason(new Response(null, { status: 503 }))).toBe('503')
  expect(formatErrorPageReason(new Error('The shelf fell down'))).toBe('The shelf fell down')
  expect(formatErrorPageReason('just a text')).toBe('just a text')
})
