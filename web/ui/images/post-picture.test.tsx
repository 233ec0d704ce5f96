import { renderToStaticMarkup } from 'react-dom/server'
import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { getDisplayAspectRatio, PostPicture, widenCroppedImageSizes } from './post-picture.tsx'
import { decodeThumbHashPlaceholder } from './thumbhash-placeholder.ts'

const red = Buffer.from(rgbaToThumbHash(1, 1, [200, 50, 30, 255])).toString('base64')
const image = { id: 'f1', url: '', width: 3024, height: 4032, thumbhash: red }

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

test("a picture's colour and thumbnail fill its box until it loads", () => {
  const [, redness, green] = /rgb\((\d+) (\d+)/.exec(decodeThumbHashPlaceholder(red)?.color ?? '') ?? []
  expect(Number(redness)).toBeGreaterThan(Number(green) + 80)
  const html = renderToStaticMarkup(<PostPicture image={image} alt="Sol" sizes="100vw" crop="feed" first />)
  expect(html).toContain('aspect-ratio:0.8')
  expect(html).toContain('data:image/png;base64,')
  expect(html).toContain('fetchPriority="high"')
  expect(html).toContain('/content?width=1920 1920w')
})

test('a damaged hash loses only the placeholder, not the page', () => {
  expect(decodeThumbHashPlaceholder('')).toBeUndefined()
  expect(decodeThumbHashPlaceholder('not base64!')).toBeUndefined()
  expect(
    renderToStaticMarkup(<PostPicture image={{ ...image, thumbhash: '' }} alt="" sizes="1px" crop="feed" />),
  ).toContain('<img')
})
