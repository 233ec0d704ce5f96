/**
 * These sizes determine how large a feed shows a post's photo. The server preloads the photo that the browser
 * will choose.
 */
import { imageVariantWidthsPx } from '../limits.ts'

type Dimensions = { width: number; height: number }

/** `feed` allows 4:5 to 1.91:1, `square` is 1:1, `whole` keeps the image's own ratio. */
export type PhotoCrop = 'feed' | 'square' | 'whole'

/** The value of the `sizes` attribute. */
export const cardPhotoSizes = '(min-width:1024px) 532px, (min-width:768px) 572px, calc(100vw - 44px)'

const tallest = 4 / 5
const widest = 1.91

export function getDisplayAspectRatio({ width, height }: Dimensions, crop: PhotoCrop): number {
  if (crop === 'square') return 1
  const own = width > 0 && height > 0 ? width / height : tallest
  return crop === 'whole' ? own : Math.min(Math.max(own, tallest), widest)
}

/** Images cropped at the sides need more width to stay sharp at full height. */
export function widenCroppedImageSizes(image: Dimensions, sizes: string, crop: PhotoCrop): string {
  const wider = getDisplayAspectRatio(image, 'whole') / getDisplayAspectRatio(image, crop)
  if (wider <= 1) return sizes
  const commas = /,\s*(?![^(]*\))/
  return sizes
    .split(commas)
    .map((size) => size.replace(/^(\([^)]*\) )?(.*)$/, `$1calc($2 * ${wider.toFixed(2)})`))
    .join(', ')
}

/** @param width one of `imageVariantWidthsPx` */
export const imageVariantUrl = (imageId: string, width: number): string =>
  `/v1/files/${encodeURIComponent(imageId)}/content?width=${width}`

/** Returns the `srcset` attribute with all variants. */
export const imageVariantSources = (imageId: string): string =>
  imageVariantWidthsPx.map((width) => `${imageVariantUrl(imageId, width)} ${width}w`).join(', ')
