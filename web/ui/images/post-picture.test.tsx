import { renderToStaticMarkup } from 'react-dom/server'
import { rgbaToThumbHash } from 'thumbhash'
import { expect, test } from 'vitest'
import { PostPicture } from './post-picture.tsx'
import { decodeThumbHashPlaceholder } from './thumbhash-placeholder.ts'

const red = Buffer.from(rgbaToThumbHash(1, 1, [200, 50, 30, 255])).toString('base64')
const image = { id: 'f1', url: '', width: 3024, height: 4032, thumbhash: red }

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
