import { uploadMaxPixels, uploadMaxSidePx } from '#contract/limits.ts'
import { recordMetadataRemovedOnDevice } from '#web/api/upload.ts'
import { isHeif, isWebp } from './heif-and-webp-signatures.ts'
import { readImageHeader } from './jpeg-and-png-parts.ts'

/** Bytes. A photo's size follows its metadata, which consists of segments of at most 64 kB. */
const scannedBytes = 1_000_000

/**
 * HEIC, HEIF, AVIF and WebP become JPEG, and photos with too many pixels shrink. CMYK becomes RGB, because libvips and
 * browsers show different colours.
 * @returns undefined if the photo can be uploaded unchanged
 * @throws PhotoConversionError
 */
export async function preparePhoto(file: File): Promise<File | undefined> {
  const start = new Uint8Array(await file.slice(0, scannedBytes).arrayBuffer())
  const convert = isHeif(start)
    ? (await import('./heif/convert-heif-to-jpeg.ts')).convertHeifToJpeg
    : isWebp(start) || mustRedraw(readImageHeader(start))
      ? (await import('./redraw-photo.ts')).redrawPhoto
      : undefined
  if (!convert) return undefined
  const { file: converted, removed } = await convert(file)
  recordMetadataRemovedOnDevice(converted, removed)
  return converted
}

const mustRedraw = (header: ReturnType<typeof readImageHeader>): boolean =>
  header !== undefined &&
  (header.isCmyk ||
    Math.max(header.width, header.height) > uploadMaxSidePx ||
    header.width * header.height > uploadMaxPixels)
