import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test('X07 an id that climbs stays one part of the address', () => {
  for (const id of ['../../account', '..%2f..%2faccount', 'a/b', 'a?b#c', '\\..\\x']) {
    const made = [
      paths.group(id),
      paths.post(id),
      paths.profile(id),
      paths.updatePost(id),
      paths.likedPosts(id),
    ]
    for (const path of made) {
      const { pathname, search, hash } = new URL(path, 'https://juntas.example')
      expect(pathname).toBe(path)
      expect(decodeURIComponent(pathname.split('/')[2] ?? '')).toBe(id)
      expect(search + hash).toBe('')
    }
  }
})
