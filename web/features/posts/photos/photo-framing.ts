import { getDisplayAspectRatio } from '#contract/posts/feed-photo.ts'
import type { Post, PostPhoto } from '#contract/posts/posts.ts'

/** A post's photos share one box: in a feed with the cover's ratio, on its page with the tallest photo's. */
export type PhotoFraming = 'feed' | 'whole'

export const getFrameAspectRatio = ({ photos }: Pick<Post, 'photos'>, framing: PhotoFraming): number =>
  framing === 'feed'
    ? getDisplayAspectRatio(photos[0] as PostPhoto, 'feed')
    : Math.min(...photos.map((photo) => getDisplayAspectRatio(photo, 'whole')))

/** A smaller difference in ratio still fills the box. */
const tolerance = 0.01

export const fillsFrame = (photo: PostPhoto, framing: PhotoFraming, ratio: number): boolean =>
  Math.abs(getDisplayAspectRatio(photo, framing) / ratio - 1) < tolerance

export const containedWidthRatio = (photo: PostPhoto, ratio: number): number =>
  Math.min(1, getDisplayAspectRatio(photo, 'whole') / ratio)
