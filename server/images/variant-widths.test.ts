import { expect, test } from 'vitest'
import { getUploadVariantWidths, resolveImageVariantWidth } from './variant-widths.ts'

test('a requested width becomes the next larger of the nine fixed widths', () => {
  const wanted = [1, 64, 65, 300, 1000, 1920, 4000]
  expect(wanted.map((width) => resolveImageVariantWidth(width, 5000))).toEqual([
    64, 64, 128, 320, 1280, 1920, 1920,
  ])
})

test('for a picture of 500 pixels all larger widths become one variant', () => {
  expect([400, 640, 960, 1920].map((width) => resolveImageVariantWidth(width, 500))).toEqual([
    480, 640, 640, 640,
  ])
})

test('four variants are made at upload, and fewer for a small picture', () => {
  expect(getUploadVariantWidths(4000)).toEqual([1280, 640, 320, 64])
  expect(getUploadVariantWidths(300)).toEqual([320, 64])
  expect(getUploadVariantWidths(10)).toEqual([64])
})
