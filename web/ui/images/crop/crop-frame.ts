import { en } from '#contract/language.ts'

export type CropAspectRatio = 'original' | '1:1' | '4:5' | '16:9' | 'free'

export type Turn = 0 | 90 | 180 | 270

/** All values are fractions of the rotated photo, from 0 to 1. */
export type FrameArea = { x: number; y: number; width: number; height: number }

export type CropFrame = FrameArea & { turn: Turn; aspectRatio: CropAspectRatio }

export type Size = { width: number; height: number }

export const wholeFrame: CropFrame = { turn: 0, aspectRatio: 'original', x: 0, y: 0, width: 1, height: 1 }

export const cropAspectRatioOptions: readonly { value: CropAspectRatio; label: string }[] = [
  { value: 'original', label: en('Original', 'Original') },
  { value: '1:1', label: '1:1' },
  { value: '4:5', label: '4:5' },
  { value: '16:9', label: '16:9' },
  { value: 'free', label: en('Free', 'Libre') },
]

const ratios: Partial<Record<CropAspectRatio, number>> = { '1:1': 1, '4:5': 4 / 5, '16:9': 16 / 9 }

export const sizeAfterTurn = ({ width, height }: Size, turn: Turn): Size =>
  turn === 90 || turn === 270 ? { width: height, height: width } : { width, height }

/** The width divided by the height. @param size of the rotated photo */
export const aspectRatioOf = (area: FrameArea, size: Size): number =>
  (area.width * size.width) / (area.height * size.height)

/** How many times larger the frame must be to touch the photo's edges. */
export const frameZoomOf = (area: FrameArea): number => 1 / Math.max(area.width, area.height)

function toAspectRatio(area: FrameArea, ratio: number, size: Size): FrameArea {
  const whole = size.width / size.height
  const zoom = frameZoomOf(area)
  const [width, height] = ratio > whole ? [1 / zoom, whole / ratio / zoom] : [ratio / whole / zoom, 1 / zoom]
  const inside = (middle: number, side: number) => Math.min(1 - side, Math.max(0, middle - side / 2))
  return {
    width,
    height,
    x: inside(area.x + area.width / 2, width),
    y: inside(area.y + area.height / 2, height),
  }
}

/**
 * The free ratio keeps the current frame.
 * @param size before rotation
 */
export function withAspectRatio(frame: CropFrame, aspectRatio: CropAspectRatio, size: Size): CropFrame {
  const turned = sizeAfterTurn(size, frame.turn)
  const ratio = aspectRatio === 'original' ? turned.width / turned.height : ratios[aspectRatio]
  return { ...frame, ...(ratio !== undefined && toAspectRatio(frame, ratio, turned)), aspectRatio }
}

/**
 * Keeps the frame's centre and aspect ratio.
 * @param size before rotation
 */
export function turnBy(frame: CropFrame, quarter: 90 | -90, size: Size): CropFrame {
  const { x, y, width, height } = frame
  const turn = ((frame.turn + quarter + 360) % 360) as Turn
  const turned = { width: height, height: width, x: quarter === 90 ? 1 - y - height : y }
  return withAspectRatio(
    { ...frame, ...turned, y: quarter === 90 ? x : 1 - x - width, turn },
    frame.aspectRatio,
    size,
  )
}

/** On a photo that fits on a screen, this is less than a pixel. */
const nearby = 0.0005

/** A different aspect ratio setting alone does not count. */
export const isSameCrop = (one: CropFrame, other: CropFrame): boolean =>
  one.turn === other.turn &&
  (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(one[side] - other[side]) < nearby)
