/** The result says whether the metadata contains a place or a time. */

export type PhotoExif = {
  /** EXIF orientation, 1 to 8. */
  orientation: number
  hasPlace: boolean
  hasTime: boolean
}

const tags = {
  orientation: 0x0112,
  modified: 0x0132,
  exif: 0x8769,
  gps: 0x8825,
  taken: 0x9003,
  digitised: 0x9004,
}

/** Treats broken parts as missing. @param tiff EXIF data without the leading "Exif" name */
export function readExif(tiff: Uint8Array<ArrayBuffer>): PhotoExif {
  const view = new DataView(tiff.buffer, tiff.byteOffset, tiff.byteLength)
  const found: PhotoExif = { orientation: 1, hasPlace: false, hasTime: false }
  if (tiff.length < 8) return found
  const isLittle = view.getUint16(0) === 0x4949
  const main = readDirectory(view, view.getUint32(4, isLittle), isLittle)
  const orientation = main.get(tags.orientation)
  if (orientation !== undefined) {
    const value = view.getUint16(orientation, isLittle)
    if (value >= 1 && value <= 8) found.orientation = value
  }
  const below = (tag: number) => {
    const at = main.get(tag)
    return at === undefined ? new Map() : readDirectory(view, view.getUint32(at, isLittle), isLittle)
  }
  const details = below(tags.exif)
  found.hasPlace = below(tags.gps).size > 0
  found.hasTime = main.has(tags.modified) || details.has(tags.taken) || details.has(tags.digitised)
  return found
}

function readDirectory(view: DataView, start: number, isLittle: boolean): Map<number, number> {
  const values = new Map<number, number>()
  if (start + 2 > view.byteLength) return values
  const count = view.getUint16(start, isLittle)
  for (let n = 0; n < count; n += 1) {
    const entry = start + 2 + 12 * n
    if (entry + 12 > view.byteLength) break
    values.set(view.getUint16(entry, isLittle), entry + 8)
  }
  return values
}
