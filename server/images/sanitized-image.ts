import type { RemovedMetadata } from '#contract/files/files.ts'
import type { ExifOrientation } from './exif-orientation.ts'

/** The upload's bytes without everything that is not needed to draw the image. */
export type SanitizedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Pixels as stored; `orientation` says how to turn them. */
  width: number
  height: number
  orientation: ExifOrientation
  /** The file, in order: views on the given bytes, not copies. */
  parts: Buffer[]
  /** What the parts that were dropped told. */
  removed: RemovedMetadata[]
}
