/** The file's content determines its format, whatever its name and type say. */

import { throwUnsupportedImageFailure } from './image-errors.ts'
import { isJpeg, sanitizeJpeg } from './sanitize-jpeg.ts'
import { isPng, sanitizePng } from './sanitize-png.ts'
import type { SanitizedImage } from './sanitized-image.ts'

export const imageSignatureBytes = 8

/** @param start at least `imageSignatureBytes`, or the whole of a shorter file */
export function assertSupportedImageSignature(start: Buffer): void {
  if (!isJpeg(start) && !isPng(start)) throwUnsupportedImageFailure()
}

/**
 * Sanitises the image without encoding it again. A sanitised image stays the same.
 * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large
 */
export function sanitizeImage(bytes: Buffer): SanitizedImage {
  assertSupportedImageSignature(bytes)
  return isPng(bytes) ? sanitizePng(bytes) : sanitizeJpeg(bytes)
}
