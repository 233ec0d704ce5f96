export type HeifRequest = {
  bytes: Uint8Array<ArrayBuffer>
  /** EXIF orientation, 1 to 8, for files that do not rotate their picture. */
  orientation: number
  colorSpace: 'srgb' | 'display-p3'
}

export type HeifAnswer = { jpeg: Blob } | { refused: 'damaged' | 'too large' }

/** 50 megapixels take 200 MB as RGBA. */
export const maxHeifPixels = 50_000_000
