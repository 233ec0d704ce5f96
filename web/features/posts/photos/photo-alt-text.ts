import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'
import { coverAltTextOf } from '../cover-alt-text.ts'

export const photoAltTextOf = (post: Pick<Post, 'caption' | 'photos' | 'creator'>, at: number): string =>
  at === 0
    ? coverAltTextOf(post)
    : post.photos[at]?.alt ||
      en(
        `Photo ${at + 1} of ${post.photos.length} by ${post.creator?.name ?? 'its author'}`,
        `Foto ${at + 1} de ${post.photos.length}, de ${post.creator?.name ?? 'su autora'}`,
      )
