import { expect, test, vi } from 'vitest'
import { createImageCache } from './image-cache.ts'

/** @returns `make`, which creates a renderer of a picture, and `made`, the names of rendered pictures */
function maker(size = 1000) {
  const made: string[] = []
  const make = (name: string) => async () => {
    made.push(name)
    return { type: 'image/png', bytes: Buffer.alloc(size, name) }
  }
  return { made, make }
}

test('a picture requested three times simultaneously is rendered once, and a fourth request uses the cache', async () => {
  const recent = createImageCache(10_000)
  const { made, make } = maker()
  await Promise.all([1, 2, 3].map(() => recent('a', make('a'))))
  expect((await recent('a', make('a'))).bytes.toString()).toBe('a'.repeat(1000))
  expect(made).toEqual(['a'])
})

test('F12 the image cache stays within its memory limit', async () => {
  const recent = createImageCache(2700)
  const { made, make } = maker()
  for (const name of ['a', 'b', 'a', 'c']) await recent(name, make(name))
  expect(made).toEqual(['a', 'b', 'c'])
  // The most recently used images `a` and `c` remain, and `b` was evicted.
  for (const name of ['a', 'c', 'b']) await recent(name, make(name))
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('F12 the image cache counts keys and overhead, and keeps ten of a hundred tiny pictures', async () => {
  const recent = createImageCache(10 * 1400)
  const { made, make } = maker(1)
  const names = Array.from({ length: 100 }, (_, index) => String(index).padStart(500, 'x'))
  for (const name of names) await recent(name, make(name))
  for (const name of names.slice(-10)) await recent(name, make(name))
  expect(made).toHaveLength(100)
  await recent(names[0] ?? '', make('first'))
  expect(made.at(-1)).toBe('first')
})

test('F12 a cached small picture does not keep the large buffer that contained it', async () => {
  const recent = createImageCache(10_000)
  const piece = Buffer.alloc(64_000, 'a')
  const make = async () => ({ type: 'image/png', bytes: piece.subarray(100, 200) })
  await recent('a', make)
  const { bytes } = await recent('a', make)
  expect(bytes.toString()).toBe('a'.repeat(100))
  expect(bytes.buffer.byteLength).toBe(100)
})

test('a picture above the limit is returned but not cached', async () => {
  const recent = createImageCache(500)
  const { made, make } = maker()
  await recent('a', make('a'))
  await recent('a', make('a'))
  expect(made).toEqual(['a', 'a'])
})

test('failed and expired pictures are rendered again', async () => {
  const recent = createImageCache(10_000, 1)
  const { made, make } = maker()
  await expect(recent('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await recent('a', make('a'))
  await vi.waitUntil(async () => {
    await recent('a', make('a'))
    return made.length === 2
  })
})
