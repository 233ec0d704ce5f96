/** A member's initials, cut out of a square of colour (platform reference §10; spec §3: a new member's picture). */
import { coverageOf } from './coverage.ts'
import { type Outline, outlineOf, type Point } from './letters.ts'
import { encodePng } from './png.ts'

const colours = ['fd366e', 'fe9567', '7c67fe', '68a3fe', '85dbd8'] as const

/** Of the picture's smaller side: as the dialect draws them, and as our screens do (design: Avatar). */
const looks = { regular: { size: 0.5, weight: 400 }, bold: { size: 0.38, weight: 700 } } as const

/** More do not fit. */
const most = 2

/** Of the picture's smaller side: the box around head and shoulders (design: Avatar). */
const silhouetteSize = 0.55
/** Straight lines for half a circle; invisible up to a picture of two thousand pixels. */
const halfSteps = 64
/** In units of that box, around its middle. */
const silhouette = [arc({ x: 0, y: -0.2 }, 0.18, 2), arc({ x: 0, y: 0.375 }, 0.32, 1)]

/**
 * The first letters of the first two words that begin with a letter or a digit of any writing; words are parted by
 * spaces, or by underscores where there are none.
 */
export function initialsOf(name: string): string {
  const upper = name.normalize('NFC').toUpperCase()
  const words = upper.split(upper.includes(' ') ? ' ' : '_')
  const letters = words.flatMap((word) => /^[\p{L}\p{N}]/u.exec(word)?.[0] ?? [])
  return letters.slice(0, most).join('')
}

/** By the sum of the letters' codes. @returns six hex digits */
export function colourFor(initials: string): string {
  const sum = [...initials].reduce((total, letter) => total + (letter.codePointAt(0) as number), 0)
  return colours[sum % colours.length] as string
}

/**
 * @param background six hex digits
 * @param bold as our screens draw them, not as the dialect does
 * @returns a PNG; letters that the font does not know are left out, and where it knows none, a silhouette stands instead
 */
export async function drawInitials(
  initials: string,
  picture: { width: number; height: number; background: string; bold?: boolean },
): Promise<Buffer> {
  const { width, height, background, bold } = picture
  const { size, weight } = bold ? looks.bold : looks.regular
  const drawn = await Promise.all([...initials].map((letter) => outlineOf(letter, weight)))
  const letters = drawn.filter((letter) => letter !== null)
  const outlines =
    letters.length > 0 ? placed(letters, { width, height }, size) : placedSilhouette({ width, height })
  const pixels = coverageOf(outlines, width, height)
  const [red = 0, green = 0, blue = 0] = Buffer.from(background, 'hex')
  // A pixel's index is how much of it a letter covers, and so how much of it is cut out.
  const palette = Array.from({ length: 256 }, (_, covered) => ({ red, green, blue, alpha: 255 - covered }))
  return encodePng({ width, height, pixels }, palette)
}

/**
 * Side by side in the middle.
 * @param share of the picture's smaller side that a letter is large
 */
function placed(letters: Outline[], picture: { width: number; height: number }, share: number): Point[][] {
  const { width, height } = picture
  const size = Math.min(width, height) * share
  const length = letters.reduce((sum, letter) => sum + letter.width, 0) * size
  const baseline = (height + (letters[0]?.capital ?? 0) * size) / 2
  let left = (width - length) / 2
  return letters.flatMap((letter) => {
    const start = left
    left += letter.width * size
    return letter.contours.map((contour) =>
      contour.map(({ x, y }) => ({ x: start + x * size, y: baseline + y * size })),
    )
  })
}

function placedSilhouette({ width, height }: { width: number; height: number }): Point[][] {
  const size = Math.min(width, height) * silhouetteSize
  return silhouette.map((contour) =>
    contour.map(({ x, y }) => ({ x: width / 2 + x * size, y: height / 2 + y * size })),
  )
}

/** Clockwise from the left: one half is an arch, two are a circle. */
function arc(middle: Point, radius: number, halves: 1 | 2): Point[] {
  return Array.from({ length: halfSteps * halves + 1 }, (_, step) => {
    const angle = Math.PI * (1 + step / halfSteps)
    return { x: middle.x + radius * Math.cos(angle), y: middle.y + radius * Math.sin(angle) }
  })
}
