import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'

const inWeb = (path: string) => join(import.meta.dirname, '..', path)
const pixels = (path: string) => sharp(inWeb(path)).flatten().resize(96, 96).removeAlpha().raw().toBuffer()

test.each([
  ['apple-touch-icon.png', 180],
  ['icon-192.png', 192],
  ['icon-512.png', 512],
])('NAV-16 the home-screen icon %s is the app icon as an opaque PNG of %i pixels', async (file, size) => {
  const { format, width, height, hasAlpha } = await sharp(inWeb(`public/${file}`)).metadata()
  expect({ format, width, height, hasAlpha }).toEqual({
    format: 'png',
    width: size,
    height: size,
    hasAlpha: false,
  })
  const [drawn, icon] = [await pixels('assets/app-icon.svg'), await pixels(`public/${file}`)]
  const differing = drawn.filter((value, at) => Math.abs(value - (icon[at] ?? 0)) > 48).length
  expect(differing / drawn.length).toBeLessThan(0.02)
})

test('the page and its manifest link to the app icons', () => {
  expect(readFileSync(inWeb('index.html'), 'utf8')).toContain(
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png" />',
  )
  const { icons } = JSON.parse(readFileSync(inWeb('public/manifest.webmanifest'), 'utf8'))
  expect(icons).toMatchObject([
    { src: '/favicon.svg' },
    ...['any', 'maskable'].flatMap((purpose) => [
      { src: '/icon-192.png', sizes: '192x192', type: 'image/png', purpose },
      { src: '/icon-512.png', sizes: '512x512', type: 'image/png', purpose },
    ]),
  ])
})
