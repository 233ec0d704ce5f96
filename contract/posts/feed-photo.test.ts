import { expect, test } from 'vitest'
import { getFileContentOperation } from '../files/files.ts'
import { getDisplayAspectRatio, imageVariantUrl, widenCroppedImageSizes } from './feed-photo.ts'

test('the URL of an image uses the path in the contract', () => {
  const path = `/v1${getFileContentOperation.path}`.replace(':fileId', 'foto')
  expect(imageVariantUrl('foto', 640)).toBe(`${path}?width=640`)
})

test('a picture in a feed is at most 4:5 tall and 1.91:1 wide', () => {
  expect(getDisplayAspectRatio({ width: 3024, height: 4032 }, 'feed')).toBe(0.8)
  expect(getDisplayAspectRatio({ width: 1000, height: 1000 }, 'feed')).toBe(1)
  expect(getDisplayAspectRatio({ width: 4000, height: 1000 }, 'feed')).toBe(1.91)
  expect(getDisplayAspectRatio({ width: 0, height: 0 }, 'feed')).toBe(0.8)
})

test('a picture outside a feed is square or keeps its shape', () => {
  expect(getDisplayAspectRatio({ width: 4000, height: 1000 }, 'square')).toBe(1)
  expect(getDisplayAspectRatio({ width: 4000, height: 1000 }, 'whole')).toBe(4)
})

test('a panorama cropped to a square is requested at its full drawn width', () => {
  const places = '(min-width:900px) min(680px, 60vw), calc(100vw - 44px)'
  expect(widenCroppedImageSizes({ width: 3000, height: 500 }, places, 'square')).toBe(
    '(min-width:900px) calc(min(680px, 60vw) * 6.00), calc(calc(100vw - 44px) * 6.00)',
  )
  expect(widenCroppedImageSizes({ width: 3000, height: 500 }, '48vw', 'whole')).toBe('48vw')
  expect(widenCroppedImageSizes({ width: 500, height: 3000 }, '48vw', 'square')).toBe('48vw')
})
