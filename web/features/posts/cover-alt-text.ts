import type { Post } from '#contract/posts/posts.ts'

const altTextLength = 80

/** Describes a post's cover for members who do not see it: as its author does, or by the beginning of the caption. */
export const coverAltTextOf = ({ photos, caption }: Pick<Post, 'caption' | 'photos'>): string =>
  photos[0]?.alt || caption.slice(0, altTextLength)
