/** Sizes and encodes a canvas within every device's limits. */
import { isIos } from './is-ios.ts'
import { jpegQuality } from './jpeg-quality.ts'

/** Pixels: iOS limits a canvas to 16.7 million. */
const longestSideOnIos = 4096

/** The scale at which a picture fits on this device's canvas, at most 1. */
export const getCanvasScale = ({ width, height }: { width: number; height: number }): number =>
  isIos() ? Math.min(1, longestSideOnIos / Math.max(width, height)) : 1

/** Encodes a canvas and frees its memory at once, which Safari otherwise keeps. @returns null if it cannot */
export async function encodeCanvasAndRelease(
  canvas: HTMLCanvasElement,
  type: 'image/jpeg' | 'image/png',
): Promise<Blob | null> {
  const encoded = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, jpegQuality))
  canvas.width = 0
  return encoded
}
