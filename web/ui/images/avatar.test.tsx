import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Avatar } from './avatar.tsx'

const shown = (name: string, imageId: string | null = null) =>
  renderToStaticMarkup(<Avatar person={{ name, imageId }} size={44} />)

test("PROF-01 without a photo, ana's avatar shows her initials on a tint, without a request", () => {
  const avatar = shown('María José Arce')
  expect(avatar).toContain('data-generated="MA"')
  expect(avatar).toMatch(/bg-tint-[1-6]/)
  expect(avatar).not.toMatch(/<img|src=|url\(/)
  expect(shown('María José Arce')).toBe(avatar)
})

test('PROF-01 USR-05 an avatar requests its photo at the displayed size and at twice that size', () => {
  expect(shown('Bea', 'f1')).toMatch(/<img src="[^"]*width=64" srcSet="[^"]*width=64 1x, [^"]*width=128 2x"/)
})

test('PROF-01 while a photo loads, the avatar shows its tint', () => {
  expect(shown('Bea', 'f1')).toMatch(/<img [^>]*class="[^"]*bg-tint-[1-6]"/)
})

test('PROF-01 an emoji in a name is not an initial', () => {
  expect(shown('Marisol Montenegro 🌻')).toContain('data-generated="MM"')
  expect(shown('🌻 Ona')).toContain('data-generated="O"')
})

test('PROF-01 a name without letters shows a silhouette', () => {
  expect(shown(' ')).toContain('<svg')
})
