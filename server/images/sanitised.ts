/** What the walkers agree on: what they give, what they refuse, and how much picture is too much. */
import { uploadMaxPixels } from '#contract/limits.ts'
import { fail } from '../errors.ts'
import type { Orientation } from './orientation.ts'

/** The uploader's bytes minus everything that is not needed to see the picture. */
export type Sanitised = {
  mime: 'image/jpeg' | 'image/png'
  /** Pixels as stored; `orientation` says how to turn them. */
  width: number
  height: number
  orientation: Orientation
  /** The file, in order: views on the given bytes, not copies. */
  parts: Buffer[]
}

/** Security reference §4.5. */
const maxSide = 12_000

/** @throws Failure storage_image_too_large, storage_file_damaged without any pixels */
export function checkDimensions(width: number, height: number): void {
  if (width === 0 || height === 0) damaged('it has no pixels')
  if (width > maxSide || height > maxSide || width * height > uploadMaxPixels) {
    fail('storage_image_too_large', {
      message: `The picture has too many pixels: ${width} × ${height}. At most ${uploadMaxPixels / 1e6} megapixels and ${maxSide} on a side.`,
      field: 'file',
    })
  }
}

/** @param why ends the sentence after a colon */
export function damaged(why: string): never {
  return fail('storage_file_damaged', {
    message: `The picture could not be read: ${why}. It may be damaged or incomplete.`,
    field: 'file',
  })
}

/** @param why a sentence of its own, for files that are nearly right */
export function unsupported(why = 'Only JPEG and PNG pictures can be uploaded.'): never {
  return fail('storage_file_type_unsupported', {
    message: `File extension not allowed. ${why}`,
    field: 'file',
  })
}
