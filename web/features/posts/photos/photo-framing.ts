import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { getDisplayAspectRatio } from '#web/ui/images/post-picture.tsx'

/**
 * All photos of a post share one box. In a feed, the box has the cover's ratio. On the post's page, the box has the
 * tallest photo's ratio.
 */
export type PhotoFraming = 'feed' | 'whole'

export const getFrameAspectRatio = ({ photos }: Pick<Post, 'photos'>, framing: PhotoFraming): number =>
  framing === 'feed'
    ? getDisplayAspectRatio(photos[0] as PostPhoto, 'feed')
    : Math.min(...photos.map((photo) => getDisplayAspectRatio(photo, 'whole')))

/** A photo whose ratio differs by less than this still fills the box. */
const tolerance = 0.01

/** Whether a photo fills the box without bars and without further cropping. */
export const fillsFrame = (photo: PostPhoto, framing: PhotoFraming, ratio: number): boolean =>
  Math.abs(getDisplayAspectRatio(photo, framing) / ratio - 1) < tolerance

/** Returns the fraction of the box's width that the whole photo takes up. */
export const containedWidthRatio = (photo: PostPhoto, ratio: number): number =>
  Math.min(1, getDisplayAspectRatio(photo, 'whole') / ratio)
