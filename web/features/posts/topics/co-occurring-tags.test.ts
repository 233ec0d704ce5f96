import { expect, test } from 'vitest'
import type { Post } from '#contract/posts/posts.ts'
import { findCoOccurringTags } from './co-occurring-tags.ts'

const posts = (...tags: string[][]) => tags.map((tags) => ({ tags }) as Post)

test('TAG-01 often with a tag are those on more than one of the posts, the most frequent first, whoever wrote them how', () => {
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
