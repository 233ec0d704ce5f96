import type { Post, PostPhoto } from '#contract/posts/posts.ts'
import { getDisplayAspectRatio } from '#web/ui/images/post-picture.tsx'

/** The shared box: the cover's in a list, the tallest photo's on the post's page. */
export type PhotoFraming = 'feed' | 'whole'

export const getFrameAspectRatio = ({ photos }: Pick<Post, 'photos'>, framing: PhotoFraming): number =>
  framing === 'feed'
    ? getDisplayAspectRatio(photos[0] as PostPhoto, 'feed')
    : Math.min(...photos.map((photo) => getDisplayAspectRatio(photo, 'whole')))

/** Allowed difference in ratio to fill the box. */
const tolerance = 0.01

/** Whether a photo fills the box without bars or extra cropping. */
export const fillsFrame = (photo: PostPhoto, framing: PhotoFraming, ratio: number): boolean =>
  Math.abs(getDisplayAspectRatio(photo, framing) / ratio - 1) < tolerance

/** The photo's share of the box's width when contained. */
export const containedWidthRatio = (photo: PostPhoto, ratio: number): number =>
  Math.min(1, getDisplayAspectRatio(photo, 'whole') / ratio)
