/** The widths a picture exists in (reading D-12). */
import { imageWidths } from '#contract/limits.ts'

export type VariantFormat = 'webp' | 'jpg' | 'png'

/** Made at upload, all as WebP; the rest on first use. */
const madeAtUpload = [1280, 640, 320, 64]

const widest = imageWidths[imageWidths.length - 1] as number
const nextLarger = (width: number) => imageWidths.find((candidate) => candidate >= width) ?? widest

/**
 * The width to serve for a wanted one: the next larger, but none beyond the picture's own, which stands for all that are.
 * @param own the picture's width as one sees it
 */
export const canonicalWidth = (wanted: number, own: number): number =>
  Math.min(nextLarger(wanted), nextLarger(own))

/** Largest first: the smaller ones are made from it. */
export const widthsAtUpload = (own: number): number[] => [
  ...new Set(madeAtUpload.map((width) => canonicalWidth(width, own))),
]

/** The name of a variant beside the original it was made from. */
export const variantName = (width: number, format: VariantFormat): string => `${width}.${format}`
