import type { RemovedMetadata } from '#contract/files/files.ts'
import type { ExifOrientation } from './exif-orientation.ts'

/** An upload that contains only what drawing needs. */
export type SanitizedImage = {
  mime: 'image/jpeg' | 'image/png'
  /** Pixels as stored, before `orientation` is applied. */
  width: number
  height: number
  orientation: ExifOrientation
  /** The parts of the file in order, as views of the given bytes. */
  parts: Buffer[]
  /** The kinds of metadata that were dropped. */
  removed: RemovedMetadata[]
}
