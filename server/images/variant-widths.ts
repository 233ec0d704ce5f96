import { imageVariantWidthsPx } from '#contract/limits.ts'

export type VariantFormat = 'webp' | 'jpg' | 'png'

export const imageMimeTypes: Record<VariantFormat | 'gif', string> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}

/** Other widths are made on first use. */
const madeAtUpload = [1280, 640, 320, 64]

const widest = imageVariantWidthsPx[imageVariantWidthsPx.length - 1] as number
const nextLarger = (width: number) => imageVariantWidthsPx.find((candidate) => candidate >= width) ?? widest

/**
 * Returns at most the smallest width that covers the image.
 * @param own the width after applying the orientation
 */
export const resolveImageVariantWidth = (wanted: number, own: number): number =>
  Math.min(nextLarger(wanted), nextLarger(own))

/** Returns the largest width first, because the smaller variants are made from it. */
export const getUploadVariantWidths = (own: number): number[] => [
  ...new Set(madeAtUpload.map((width) => resolveImageVariantWidth(width, own))),
]

export const imageVariantName = (width: number, format: VariantFormat): string => `${width}.${format}`
