import { uploadMaxPixels, uploadMaxSidePx } from '#contract/limits.ts'
import { throwFailure } from '../errors.ts'

/**
 * Call this before decoding.
 * @throws Failure storage_image_too_large, storage_file_damaged
 */
export function assertImageDimensionsAllowed(width: number, height: number): void {
  if (width === 0 || height === 0) throwDamagedImageFailure('it has no pixels')
  if (width > uploadMaxSidePx || height > uploadMaxSidePx || width * height > uploadMaxPixels) {
    throwFailure('storage_image_too_large', {
      message: `The picture has too many pixels: ${width} × ${height}. At most ${uploadMaxPixels / 1e6} megapixels and ${uploadMaxSidePx} on a side.`,
      field: 'file',
    })
  }
}

/** @param why the part of the message after the colon */
export function throwDamagedImageFailure(why: string): never {
  return throwFailure('storage_file_damaged', {
    message: `The picture could not be read: ${why}. It may be damaged or incomplete.`,
    field: 'file',
  })
}

/** @param why a sentence for formats that are almost supported */
export function throwUnsupportedImageFailure(why = 'Only JPEG and PNG pictures can be uploaded.'): never {
  return throwFailure('storage_file_type_unsupported', {
    message: `File extension not allowed. ${why}`,
    field: 'file',
  })
}
