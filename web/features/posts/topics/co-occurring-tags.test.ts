import { expect, test } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { findCoOccurringTags } from './co-occurring-tags.ts'

const posts = (...tags: string[][]) => tags.map((tags) => ({ tags }) as Post)

test('TAG-01 co-occurring tags are on at least two posts, most frequent first, regardless of spelling', () => {
  const shown = posts(
    ['verano', 'Mar', 'mar', 'vejer'],
    ['VERANO', 'mar', 'azulejo'],
    ['verano', 'már', 'AZULEJO', 'una'],
    ['verano', 'dos'],
  )
  expect(findCoOccurringTags('Verano', shown)).toEqual(['mar', 'azulejo'])
  expect(findCoOccurringTags('verano', posts(['verano', 'mar']))).toEqual([])
  expect(findCoOccurringTags('verano', [])).toEqual([])
})
