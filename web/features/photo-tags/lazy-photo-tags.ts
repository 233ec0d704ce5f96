import type { Post } from '#contract/posts/posts.ts'
import { lazyPart } from '#web/navigation/lazy-part.tsx'

const load = () => import('./photo-tags.tsx')

export const LazyPhotoTags = lazyPart(async () => (await load()).PhotoTags)

export const hasPhotoTagInfo = ({ people, photos, can }: Post): boolean =>
  can.name === true || (people?.length ?? 0) > 0 || photos.some(({ withheld }) => withheld)
