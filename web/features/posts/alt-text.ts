import type { Post } from '#contract/posts.ts'

const altTextLength = 80

/** Describes a post's image for members who do not see it: by the beginning of the caption. */
export const altTextOf = (post: Pick<Post, 'caption'>): string => post.caption.slice(0, altTextLength)
