import { expect, test } from 'vitest'
import { uploadChunkBytes } from '#contract/limits.ts'
import { chunksOf } from '#web/upload.ts'

test('UPL-10 exactly 5 MB go in one request, one byte more in two', () => {
  expect(uploadChunkBytes).toBe(5_242_880)
  expect(chunksOf(1)).toEqual([{ start: 0, end: 1 }])
  expect(chunksOf(5_242_880)).toEqual([{ start: 0, end: 5_242_880 }])
  expect(chunksOf(5_242_881)).toEqual([
    { start: 0, end: 5_242_880 },
    { start: 5_242_880, end: 5_242_881 },
  ])
})

test('UPL-10 a picture of 12 MB is three chunks that leave nothing out', () => {
  const size = 12 * 1024 * 1024
  const chunks = chunksOf(size)
  expect(chunks).toHaveLength(3)
  expect(chunks.at(-1)?.end).toBe(size)
  expect(chunks.slice(1).map(({ start }) => start)).toEqual(chunks.slice(0, -1).map(({ end }) => end))
})

test('UPL-09 an empty file is still asked about once', () => {
  expect(chunksOf(0)).toEqual([{ start: 0, end: 0 }])
})
