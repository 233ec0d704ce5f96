import type { Post } from '#contract/posts/posts.ts'

const altTextLength = 80

export const coverAltTextOf = ({ photos, caption }: Pick<Post, 'caption' | 'photos'>): string =>
  photos[0]?.alt || caption.slice(0, altTextLength)
