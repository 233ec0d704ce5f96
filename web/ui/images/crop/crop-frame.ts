/** What is kept of a photo: how far it is turned, the shape of the frame, and where the frame stands. */
import { en } from '#contract/language.ts'

export type CropShape = 'original' | '1:1' | '4:5' | '16:9' | 'free'

/** Degrees clockwise. */
export type Turn = 0 | 90 | 180 | 270

/** A rectangle in shares of the turned photo, 0 to 1. */
export type FrameArea = { x: number; y: number; width: number; height: number }

export type CropFrame = FrameArea & { turn: Turn; shape: CropShape }

/** Pixels. */
export type Size = { width: number; height: number }

export const wholeFrame: CropFrame = { turn: 0, shape: 'original', x: 0, y: 0, width: 1, height: 1 }

export const cropShapes: readonly { value: CropShape; label: string }[] = [
  { value: 'original', label: 'Original' },
  { value: '1:1', label: '1:1' },
  { value: '4:5', label: '4:5' },
  { value: '16:9', label: '16:9' },
  { value: 'free', label: en('Free', 'Libre') },
]

const ratios: Partial<Record<CropShape, number>> = { '1:1': 1, '4:5': 4 / 5, '16:9': 16 / 9 }

export const sizeAfter = ({ width, height }: Size, turn: Turn): Size =>
  turn === 90 || turn === 270 ? { width: height, height: width } : { width, height }

/** Width over height of a frame in a photo. @param size of the photo as it is turned */
export const ratioOf = (area: FrameArea, size: Size): number =>
  (area.width * size.width) / (area.height * size.height)

/** How many times the frame would have to grow to touch the photo's edges. @param size of the photo as it is turned */
export const zoomOf = (area: FrameArea): number => 1 / Math.max(area.width, area.height)

/** Returns a frame of that ratio, as close as it can be to another: around the same middle, and as much enlarged. */
function reshape(area: FrameArea, ratio: number, size: Size): FrameArea {
  const whole = size.width / size.height
  const zoom = zoomOf(area)
  const [width, height] = ratio > whole ? [1 / zoom, whole / ratio / zoom] : [ratio / whole / zoom, 1 / zoom]
  const inside = (middle: number, side: number) => Math.min(1 - side, Math.max(0, middle - side / 2))
  return {
    width,
    height,
    x: inside(area.x + area.width / 2, width),
    y: inside(area.y + area.height / 2, height),
  }
}

/** Gives a frame another shape; a free one keeps what it is. @param size of the photo before it is turned */
export function withShape(frame: CropFrame, shape: CropShape, size: Size): CropFrame {
  const turned = sizeAfter(size, frame.turn)
  const ratio = shape === 'original' ? turned.width / turned.height : ratios[shape]
  return { ...frame, ...(ratio !== undefined && reshape(frame, ratio, turned)), shape }
}

/** Turns the photo under its frame, which keeps its middle and its shape. @param size of the photo before it is turned */
export function turnBy(frame: CropFrame, quarter: 90 | -90, size: Size): CropFrame {
  const { x, y, width, height } = frame
  const turn = ((frame.turn + quarter + 360) % 360) as Turn
  const turned = { width: height, height: width, x: quarter === 90 ? 1 - y - height : y }
  return withShape({ ...frame, ...turned, y: quarter === 90 ? x : 1 - x - width, turn }, frame.shape, size)
}

/** Less than a pixel of any photo that a screen shows whole. */
const nearby = 0.0005

/** Says whether two frames keep the same of a photo; the shape alone is no difference. */
export const keepsTheSame = (one: CropFrame, other: CropFrame): boolean =>
  one.turn === other.turn &&
  (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < nearby)
