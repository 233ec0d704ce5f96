import { expect, test } from 'vitest'
import { isFilePath } from './static-web.ts'

test('D07 an address of dots is a page like any other, at once', () => {
  expect(isFilePath(`/a${'.'.repeat(400_000)}/`)).toBe(false)
}, 5000)

test.each([
  ['/', false],
  ['/notes', false],
  ['/v1.2/notes', false],
  ['/notes/missing.js', true],
  ['/.env', true],
])('the last part of %s names a file: %s', (path, isFile) => {
  expect(isFilePath(path)).toBe(isFile)
})
