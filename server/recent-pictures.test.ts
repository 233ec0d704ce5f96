import { expect, test } from 'vitest'
import { createRecentPictures } from './recent-pictures.ts'

/** @returns how often each picture was made so far */
function maker(size = 10) {
  const made: string[] = []
  const make = (name: string) => async () => {
    made.push(name)
    return { type: 'image/png', bytes: Buffer.alloc(size, name) }
  }
  return { made, make }
}

test('a picture that three ask for at once is made once, and not again for the fourth', async () => {
  const recent = createRecentPictures(100)
  const { made, make } = maker()
  await Promise.all([1, 2, 3].map(() => recent('a', make('a'))))
  expect((await recent('a', make('a'))).bytes.toString()).toBe('a'.repeat(10))
  expect(made).toEqual(['a'])
})

test('F12 a thousand different pictures take no more room than one may', async () => {
  const recent = createRecentPictures(25)
  const { made, make } = maker()
  for (const name of ['a', 'b', 'a', 'c']) await recent(name, make(name))
  expect(made).toEqual(['a', 'b', 'c'])
  // Asked for last, `a` and `c` are there; `b` had to go.
  for (const name of ['a', 'c', 'b']) await recent(name, make(name))
  expect(made).toEqual(['a', 'b', 'c', 'b'])
})

test('what is larger than the room is given and not kept', async () => {
  const recent = createRecentPictures(5)
  const { made, make } = maker()
  await recent('a', make('a'))
  await recent('a', make('a'))
  expect(made).toEqual(['a', 'a'])
})

test('a picture whose time is over, and one whose making failed, are made anew', async () => {
  const recent = createRecentPictures(100, -1)
  const { made, make } = maker()
  await expect(recent('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  await recent('a', make('a'))
  await recent('a', make('a'))
  expect(made).toEqual(['a', 'a'])
})
