import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { getDisplayAspectRatio } from '#web/ui/images/post-picture.tsx'

/**
 * All photos of a post share one box: in a feed with the cover's ratio, on the post's page with the tallest photo's.
 */
export type PhotoFraming = 'feed' | 'whole'

export const getFrameAspectRatio = ({ photos }: Pick<Post, 'photos'>, framing: PhotoFraming): number =>
  framing === 'feed'
    ? getDisplayAspectRatio(photos[0] as PostPhoto, 'feed')
    : Math.min(...photos.map((photo) => getDisplayAspectRatio(photo, 'whole')))

/** A smaller difference in ratio still fills the box. */
const tolerance = 0.01

/** Without bars and without further cropping. */
export const fillsFrame = (photo: PostPhoto, framing: PhotoFraming, ratio: number): boolean =>
  Math.abs(getDisplayAspectRatio(photo, framing) / ratio - 1) < tolerance

/** As a fraction of the box's width. */
export const containedWidthRatio = (photo: PostPhoto, ratio: number): number =>
  Math.min(1, getDisplayAspectRatio(photo, 'whole') / ratio)
