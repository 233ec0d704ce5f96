/** The first thing that looks at an upload, whatever its name or its type say (reading D-12: JPEG and PNG by content). */
import { isJpeg, sanitiseJpeg } from './jpeg.ts'
import { isPng, sanitisePng } from './png.ts'
import { type Sanitised, unsupported } from './sanitised.ts'

/** How many bytes from the beginning decide what a file is. */
export const magicBytes = 8

/** @param start at least the first `magicBytes` of a file, or all of a shorter one */
export function checkMagic(start: Buffer): void {
  if (!isJpeg(start) && !isPng(start)) unsupported()
}

/**
 * The picture without what nobody needs to see it: deterministic, never re-encoded, and its own result when done again.
 * @throws Failure storage_file_type_unsupported, storage_file_damaged, storage_image_too_large
 */
export function sanitise(bytes: Buffer): Sanitised {
  checkMagic(bytes)
  return isPng(bytes) ? sanitisePng(bytes) : sanitiseJpeg(bytes)
}
