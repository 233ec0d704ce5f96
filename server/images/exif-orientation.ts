/** The orientation is the only EXIF data that is kept. */

/** EXIF 2.32 §4.6.5: 1 is upright, 2–4 are mirrored or upside down, and 5–8 are turned by 90 degrees. */
export type ExifOrientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112
const shortType = 3

/**
 * @param tiff a JPEG's EXIF after its name, or a PNG's eXIf
 * @returns 1 if the orientation is missing or malformed
 */
export function readExifOrientation(tiff: Buffer): ExifOrientation {
  if (tiff.length < 8) return 1
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return 1
  const little = order === 'II'
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))

  const directory = long(4)
  if (short(2) !== 42 || directory + 2 > tiff.length) return 1
  const entries = short(directory)
  for (let entry = 0; entry < entries; entry += 1) {
    const at = directory + 2 + entry * 12
    if (at + 12 > tiff.length) return 1
    if (short(at) !== orientationTag || short(at + 2) !== shortType) continue
    const value = short(at + 8)
    return value >= 1 && value <= 8 ? (value as ExifOrientation) : 1
  }
  return 1
}

export function writeExifOrientation(orientation: ExifOrientation): Buffer {
  const tiff = Buffer.alloc(26)
  tiff.write('MM\0*', 0, 'latin1')
  tiff.writeUInt32BE(8, 4)
  tiff.writeUInt16BE(1, 8)
  tiff.writeUInt16BE(orientationTag, 10)
  tiff.writeUInt16BE(shortType, 12)
  tiff.writeUInt32BE(1, 14)
  tiff.writeUInt16BE(orientation, 18)
  return tiff
}

export function getOrientedDimensions(
  { width, height }: { width: number; height: number },
  orientation: ExifOrientation,
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
