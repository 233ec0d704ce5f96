import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { getDisplayAspectRatio } from '#web/ui/images/post-picture.tsx'

/** How the photos of a post share one box: in a list that of the cover, on the post's own page that of the tallest. */
export type PhotoFraming = 'feed' | 'whole'

export const getFrameAspectRatio = ({ photos }: Pick<Post, 'photos'>, framing: PhotoFraming): number =>
  framing === 'feed'
    ? getDisplayAspectRatio(photos[0] as PostPhoto, 'feed')
    : Math.min(...photos.map((photo) => getDisplayAspectRatio(photo, 'whole')))

/** How far a photo's ratio may be from the box's and still fill it. */
const tolerance = 0.01

/** Says whether a photo fills a box of that ratio, without bars and cut no further than it would be alone. */
export const fillsFrame = (photo: PostPhoto, framing: PhotoFraming, ratio: number): boolean =>
  Math.abs(getDisplayAspectRatio(photo, framing) / ratio - 1) < tolerance

/** Returns the width of a photo that is shown whole inside the box, as a part of the box's. */
export const containedWidthRatio = (photo: PostPhoto, ratio: number): number =>
  Math.min(1, getDisplayAspectRatio(photo, 'whole') / ratio)
