/** Sizes and encodes a canvas as every device can. */
import { isIos } from './is-ios.ts'
import { jpegQuality } from './jpeg-quality.ts'

/** Pixels. iOS has no canvas of more than 16.7 million. */
const longestSideOnIos = 4096

/** By how much a picture has to shrink to fit on a canvas of this device: 1 where it fits. */
export const getCanvasScale = ({ width, height }: { width: number; height: number }): number =>
  isIos() ? Math.min(1, longestSideOnIos / Math.max(width, height)) : 1

/** Encodes what is drawn, and gives the canvas's memory back at once, which Safari otherwise keeps. @returns null where it cannot */
export async function encodeCanvasAndRelease(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
): Promise<Blob | null> {
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality))
  canvas.width = 0
  return encoded
}
