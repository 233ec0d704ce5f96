/** Scales and encodes a canvas within the limits of every device. */
import { isIos } from './is-ios.ts'
import { jpegQuality } from './jpeg-quality.ts'

/** Pixels. iOS limits a canvas to 16.7 million pixels. */
const longestSideOnIos = 4096

/** Returns the scale (at most 1) at which a picture fits on this device's canvas. */
export const getCanvasScale = ({ width, height }: { width: number; height: number }): number =>
  isIos() ? Math.min(1, longestSideOnIos / Math.max(width, height)) : 1

/**
 * Encodes a canvas and releases its memory immediately, because Safari would otherwise keep it. @returns null if the
 * canvas cannot be encoded
 */
export async function encodeCanvasAndRelease(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
): Promise<Blob | null> {
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality))
  canvas.width = 0
  return encoded
}
