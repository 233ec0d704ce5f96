/** Recognises uploads as JPEG or PNG by their content, whatever name and type claim, and sanitizes them. */

import { throwUnsupportedImageFailure } from './image-errors.ts'
import { isJpeg, sanitizeJpeg } from './sanitize-jpeg.ts'
import { isPng, sanitizePng } from './sanitize-png.ts'
import type { SanitizedImage } from './sanitized-image.ts'

/** How many first bytes decide the format. */
export const imageSignatureBytes = 8

/** Refuses other formats by the first bytes. @param start at least `imageSignatureBytes` bytes, or all of a shorter file */
export function assertSupportedImageSignature(start: Buffer): void {
  if (!isJpeg(start) && !isPng(start)) throwUnsupportedImageFailure()
}

/**
 * Strips an upload of everything not needed to draw it. Deterministic, idempotent, and never re-encodes.
 * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large
 */
export function sanitizeImage(bytes: Buffer): SanitizedImage {
  assertSupportedImageSignature(bytes)
  return isPng(bytes) ? sanitizePng(bytes) : sanitizeJpeg(bytes)
}
