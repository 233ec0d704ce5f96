import type { Post } from '#contract/posts/posts.ts'

const altTextLength = 80

/** Returns the author's description, or the start of the caption if there is no description. */
export const coverAltTextOf = ({ photos, caption }: Pick<Post, 'caption' | 'photos'>): string =>
  photos[0]?.alt || caption.slice(0, altTextLength)
