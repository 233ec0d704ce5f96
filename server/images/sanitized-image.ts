import type { RemovedMetadata } from '#contract/files/files.ts'
import type { ExifOrientation } from './exif-orientation.ts'

/** An upload reduced to what drawing needs. */
export type SanitizedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Stored pixels, before applying `orientation`. */
  width: number
  height: number
  orientation: ExifOrientation
  /** The file in order, as views on the given bytes. */
  parts: Buffer[]
  /** Kinds of dropped metadata. */
  removed: RemovedMetadata[]
}
