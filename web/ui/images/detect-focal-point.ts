/** Covers are wide, but many uploads are portrait photos. */

/** Pixels. This is fast to read, and still separates a subject from its background. */
const sampleWidth = 24
const maxSampleHeight = 96

/**
 * The vertical `object-position` in percent.
 * @param boxRatio width divided by height
 */
export function computeImageFocalPercent(image: HTMLImageElement, boxRatio: number): number {
  const { naturalWidth, naturalHeight } = image
  const height = Math.min(Math.round((sampleWidth * naturalHeight) / naturalWidth), maxSampleHeight)
  const canvas = document.createElement('canvas')
  canvas.width = sampleWidth
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context || !height) return 50
  context.drawImage(image, 0, 0, sampleWidth, height)
  const { data } = context.getImageData(0, 0, sampleWidth, height)
  const visibleRows = ((naturalWidth / boxRatio) * height) / naturalHeight
  return computePixelFocalPercent(data, sampleWidth, visibleRows)
}

/**
 * Prefers rows that differ from their own mean colour, so a sky counts as background despite its gradient. If rows
 * are equal, the middle wins.
 * @param pixels RGBA, row by row
 * @param visibleRows number of rows that the crop keeps
 */
export function computePixelFocalPercent(
  pixels: ArrayLike<number>,
  width: number,
  visibleRows: number,
): number {
  const rows = pixels.length / 4 / width
  const visible = Math.max(1, Math.min(Math.round(visibleRows), rows))
  const spare = rows - visible
  if (spare === 0) return 50
  const weights = Array.from({ length: rows }, (_, row) => contrastOf(pixels, width, row))
  let best = { top: spare / 2, weight: -1 }
  for (const top of fromTheMiddle(spare)) {
    const weight = weights.slice(top, top + visible).reduce((sum, one) => sum + one, 0)
    // A crop further from the middle needs clearly more contrast.
    if (weight > best.weight * 1.02) best = { top, weight }
  }
  return (best.top / spare) * 100
}

const fromTheMiddle = (last: number): number[] =>
  Array.from({ length: last + 1 }, (_, top) => top).sort(
    (one, other) => Math.abs(one - last / 2) - Math.abs(other - last / 2),
  )

type Color = readonly [red: number, green: number, blue: number]

const colorAt = (pixels: ArrayLike<number>, at: number): Color => [
  pixels[at * 4] ?? 0,
  pixels[at * 4 + 1] ?? 0,
  pixels[at * 4 + 2] ?? 0,
]

function contrastOf(pixels: ArrayLike<number>, width: number, row: number): number {
  const colors = Array.from({ length: width }, (_, column) => colorAt(pixels, row * width + column))
  const mean = [0, 1, 2].map((part) => colors.reduce((sum, color) => sum + (color[part] ?? 0), 0) / width)
  return colors.reduce(
    (sum, color) => sum + Math.hypot(...color.map((value, part) => value - (mean[part] ?? 0))),
    0,
  )
}
