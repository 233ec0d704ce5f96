import { en } from '#contract/language.ts'
import type { Post } from '#contract/posts/posts.ts'

const altTextLength = 80

export const coverAltTextOf = ({ photos, caption }: Pick<Post, 'caption' | 'photos'>): string =>
  photos[0]?.alt || caption.slice(0, altTextLength)

export const photoAltTextOf = (post: Pick<Post, 'caption' | 'photos' | 'creator'>, at: number): string =>
  at === 0
    ? coverAltTextOf(post)
    : post.photos[at]?.alt ||
      en(
        `Photo ${at + 1} of ${post.photos.length} by ${post.creator?.name ?? 'its author'}`,
        `Foto ${at + 1} de ${post.photos.length}, de ${post.creator?.name ?? 'su autora'}`,
      )
