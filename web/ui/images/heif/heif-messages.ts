/** What the page and the worker that decodes HEIC say to each other. */

export type HeifRequest = {
  bytes: Uint8Array<ArrayBuffer>
  /** EXIF's, 1 to 8, where the file itself does not turn its picture. */
  orientation: number
  colorSpace: 'srgb' | 'display-p3'
}

export type HeifAnswer = { jpeg: Blob } | { refused: 'damaged' | 'too large' }

/** Pixels: 200 MB as RGBA. */
export const maxHeifPixels = 50_000_000
