/**
 * The one thing of a picture's metadata that is kept: which way is up (reading W-02). Everything else in EXIF, the
 * place above all, stays behind.
 */

/** EXIF 2.32 §4.6.5: 1 upright, 2–4 mirrored or upside down, 5–8 lying on a side. */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8

const orientationTag = 0x0112
const shortType = 3

/** From a TIFF block (a JPEG's EXIF after its name, a PNG's eXIf); 1 wherever the block does not say or makes no sense. */
export function readOrientation(tiff: Buffer): Orientation {
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
    return value >= 1 && value <= 8 ? (value as Orientation) : 1
  }
  return 1
}

/** A TIFF block that says this and nothing else: 26 bytes, always the same. */
export function writeOrientation(orientation: Orientation): Buffer {
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

/** Width and height as one sees them. */
export function upright(
  { width, height }: { width: number; height: number },
  orientation: Orientation,
): { width: number; height: number } {
  return orientation >= 5 ? { width: height, height: width } : { width, height }
}
