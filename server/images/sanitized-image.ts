import type { RemovedMetadata } from '#contract/files/files.ts'
import type { ExifOrientation } from './exif-orientation.ts'

/** Contains only what drawing needs. */
export type SanitizedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Pixels as stored, before `orientation` is applied. */
  width: number
  height: number
  orientation: ExifOrientation
  /** In order, as views of the given bytes. */
  parts: Buffer[]
  removed: RemovedMetadata[]
}
