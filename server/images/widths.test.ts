import { expect, test } from 'vitest'
import { canonicalWidth, widthsAtUpload } from './widths.ts'

test('D-12 a wanted width is the next larger of the nine', () => {
  const wanted = [1, 64, 65, 300, 1000, 1920, 4000]
  expect(wanted.map((width) => canonicalWidth(width, 5000))).toEqual([64, 64, 128, 320, 1280, 1920, 1920])
})

test('a picture of 500 pixels has one largest variant, whatever larger width is asked for', () => {
  expect([400, 640, 960, 1920].map((width) => canonicalWidth(width, 500))).toEqual([480, 640, 640, 640])
})

test('D-12 four variants are made at upload, of a small picture only those it has', () => {
  expect(widthsAtUpload(4000)).toEqual([1280, 640, 320, 64])
  expect(widthsAtUpload(300)).toEqual([320, 64])
  expect(widthsAtUpload(10)).toEqual([64])
})
