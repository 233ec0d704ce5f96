/** Pictures stay within the canvas limits of every device. */
import { isIos } from './is-ios.ts'

export const jpegQuality = 0.92

/** Pixels. iOS limits a canvas to 16.7 million pixels. */
const longestSideOnIos = 4096

/** Returns at most 1, so that the picture fits on this device's canvas. */
export const getCanvasScale = ({ width, height }: { width: number; height: number }): number =>
  isIos() ? Math.min(1, longestSideOnIos / Math.max(width, height)) : 1

/** Releases the canvas, which Safari would otherwise keep in memory. @returns null if it cannot be encoded */
export async function encodeCanvasAndRelease(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
): Promise<Blob | null> {
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality))
  canvas.width = 0
  return encoded
}
