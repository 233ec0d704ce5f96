/** How much of each pixel lies inside an outline: 0 to 255. */
import type { Point } from './letters.ts'

/** Lines looked at in each row of pixels; across a line the edges are exact. */
const linesPerPixel = 8

type Edge = { top: number; bottom: number; x: number; slope: number; direction: 1 | -1 }
type Crossing = { x: number; direction: 1 | -1 }

/** @param contours closed lines in pixels; what one runs around, whichever way, is inside (non-zero winding) */
export function coverageOf(contours: Point[][], width: number, height: number): Uint8Array {
  const coverage = new Uint8Array(width * height)
  const edges = edgesOf(contours)
  // How the cover changes from each pixel to the next; one more, for what ends at the right edge.
  const steps = new Float64Array(width + 2)
  for (let y = 0; y < height; y += 1) {
    const near = edges.filter(({ top, bottom }) => top < y + 1 && bottom > y)
    if (near.length === 0) continue
    steps.fill(0)
    for (let line = 0; line < linesPerPixel; line += 1) {
      addSpans(steps, width, crossingsAt(near, y + (line + 0.5) / linesPerPixel))
    }
    let covered = 0
    for (let x = 0; x < width; x += 1) {
      covered += steps[x] as number
      coverage[y * width + x] = Math.round((covered * 255) / linesPerPixel)
    }
  }
  return coverage
}

function edgesOf(contours: Point[][]): Edge[] {
  return contours.flatMap((contour) =>
    contour.flatMap((from, index) => {
      const to = contour[(index + 1) % contour.length] as Point
      if (from.y === to.y) return []
      const slope = (to.x - from.x) / (to.y - from.y)
      const [upper, lower] = from.y < to.y ? [from, to] : [to, from]
      const direction = from.y < to.y ? 1 : -1
      return [{ top: upper.y, bottom: lower.y, x: upper.x - upper.y * slope, slope, direction } as const]
    }),
  )
}

const crossingsAt = (edges: Edge[], y: number): Crossing[] =>
  edges
    .filter(({ top, bottom }) => top <= y && y < bottom)
    .map(({ x, slope, direction }) => ({ x: x + y * slope, direction }))
    .sort((left, right) => left.x - right.x)

function addSpans(steps: Float64Array, width: number, crossings: Crossing[]): void {
  let winding = 0
  let start = 0
  for (const { x, direction } of crossings) {
    if (winding === 0) start = x
    winding += direction
    if (winding === 0) addSpan(steps, Math.max(0, start), Math.min(width, x))
  }
}

function addSpan(steps: Float64Array, from: number, to: number): void {
  if (to <= from) return
  addRise(steps, from, 1)
  addRise(steps, to, -1)
}

/** From `at` on, a pixel is covered by so much more: the one that `at` divides by its part of that. */
function addRise(steps: Float64Array, at: number, rise: 1 | -1): void {
  const pixel = Math.floor(at)
  const left = at - pixel
  steps[pixel] = (steps[pixel] as number) + rise * (1 - left)
  steps[pixel + 1] = (steps[pixel + 1] as number) + rise * left
}
