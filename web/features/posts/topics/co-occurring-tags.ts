import type { Post } from '#contract/posts/posts.ts'
import { foldText } from './fold-text.ts'

const maxShown = 4

/** Lists tags that share at least two posts with `tag`, the most frequent first, each in its first spelling. */
export function findCoOccurringTags(tag: string, posts: readonly Post[]): string[] {
  const found = new Map<string, { written: string; count: number }>()
  for (const post of posts) {
    const written = new Map(post.tags.map((other) => [foldText(other), other]))
    for (const [folded, other] of written) {
      const known = found.get(folded)
      found.set(folded, { written: known?.written ?? other, count: (known?.count ?? 0) + 1 })
    }
  }
  found.delete(foldText(tag))
  return [...found.values()]
    .filter(({ count }) => count > 1)
    .sort((one, other) => other.count - one.count)
    .slice(0, maxShown)
    .map(({ written }) => written)
}
