import type { RemovedMetadata } from '#contract/files/files.ts'
import type { ExifOrientation } from './exif-orientation.ts'

export type SanitizedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Pixels as stored, before `orientation`. */
  width: number
  height: number
  orientation: ExifOrientation
  /** The parts in order, as views of the given bytes. */
  parts: Buffer[]
  removed: RemovedMetadata[]
}
