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
  const row = new Float32Array(width)
  for (let y = 0; y < height; y += 1) {
    const near = edges.filter(({ top, bottom }) => top < y + 1 && bottom > y)
    if (near.length === 0) continue
    row.fill(0)
    for (let line = 0; line < linesPerPixel; line += 1) {
      addSpans(row, crossingsAt(near, y + (line + 0.5) / linesPerPixel))
    }
    for (let x = 0; x < width; x += 1) {
      coverage[y * width + x] = Math.round(((row[x] as number) * 255) / linesPerPixel)
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

function addSpans(row: Float32Array, crossings: Crossing[]): void {
  let winding = 0
  let start = 0
  for (const { x, direction } of crossings) {
    if (winding === 0) start = x
    winding += direction
    if (winding === 0) addSpan(row, Math.max(0, start), Math.min(row.length, x))
  }
}

function addSpan(row: Float32Array, from: number, to: number): void {
  const first = Math.floor(from)
  const last = Math.ceil(to) - 1
  for (let x = first; x <= last; x += 1) {
    row[x] = (row[x] as number) + Math.min(to, x + 1) - Math.max(from, x)
  }
}
