/** Chooses the widths of image variants from a fixed set, so that few have to be stored. */
import { imageVariantWidthsPx } from '#contract/limits.ts'

export type VariantFormat = 'webp' | 'jpg' | 'png'

export const imageMimeTypes: Record<VariantFormat | 'gif', string> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
}

/** Made at upload, as WebP; the others on first use. */
const madeAtUpload = [1280, 640, 320, 64]

const widest = imageVariantWidthsPx[imageVariantWidthsPx.length - 1] as number
const nextLarger = (width: number) => imageVariantWidthsPx.find((candidate) => candidate >= width) ?? widest

/**
 * Returns the width to serve for a wanted one: the next larger of the set, at most the one that holds the image's own.
 * @param own the image's width, after orientation
 */
export const resolveImageVariantWidth = (wanted: number, own: number): number =>
  Math.min(nextLarger(wanted), nextLarger(own))

/** Returns the widths to make at upload, largest first: the smaller ones are made from it. */
export const getUploadVariantWidths = (own: number): number[] => [
  ...new Set(madeAtUpload.map((width) => resolveImageVariantWidth(width, own))),
]

/** Names a variant's blob. */
export const imageVariantName = (width: number, format: VariantFormat): string => `${width}.${format}`
