import { expect, test } from 'vitest'
import { screenPaths } from './paths.ts'

test('X07 an id with dots or slashes stays one segment of the path', () => {
  for (const id of ['../../account', '..%2f..%2faccount', 'a/b', 'a?b#c', '\\..\\x']) {
    const made = [
      screenPaths.group(id),
      screenPaths.post(id),
      screenPaths.profile(id),
      screenPaths.updatePost(id),
      screenPaths.likedPosts(id),
    ]
    for (const path of made) {
      const { pathname, search, hash } = new URL(path, 'https://juntas.example')
      expect(pathname).toBe(path)
      expect(decodeURIComponent(pathname.split('/')[2] ?? '')).toBe(id)
      expect(search + hash).toBe('')
    }
  }
})
