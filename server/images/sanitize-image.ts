/** Recognises JPEG and PNG by content, whatever name and type claim, and sanitises them. */

import { throwUnsupportedImageFailure } from './image-errors.ts'
import { isJpeg, sanitizeJpeg } from './sanitize-jpeg.ts'
import { isPng, sanitizePng } from './sanitize-png.ts'
import type { SanitizedImage } from './sanitized-image.ts'

/** Bytes that decide the format. */
export const imageSignatureBytes = 8

/** Refuses other formats. @param start at least `imageSignatureBytes` bytes, or a whole shorter file */
export function assertSupportedImageSignature(start: Buffer): void {
  if (!isJpeg(start) && !isPng(start)) throwUnsupportedImageFailure()
}

/**
 * Strips an upload of everything not needed to draw it. Deterministic and idempotent; never re-encodes.
 * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large
 */
export function sanitizeImage(bytes: Buffer): SanitizedImage {
  assertSupportedImageSignature(bytes)
  return isPng(bytes) ? sanitizePng(bytes) : sanitizeJpeg(bytes)
}
