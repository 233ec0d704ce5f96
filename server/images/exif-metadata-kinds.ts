/** The tags follow EXIF 2.32 §4.6. */
import type { RemovedMetadata } from '#contract/files/files.ts'

type Kind = RemovedMetadata

const tag = {
  exif: 0x8769,
  gps: 0x8825,
  thumbnail: 0x0201,
  strips: 0x0111,
  userComment: 0x9286,
  gpsVersion: 0,
}

const camera = new Set([
  0x010f, 0x0110, 0x0131, 0x013c, 0x829a, 0x829d, 0x8822, 0x8827, 0x9201, 0x9202, 0x9204, 0x9207, 0x9209,
  0x920a, 0x927c, 0xa405, 0xa430, 0xa431, 0xa432, 0xa433, 0xa434, 0xa435,
])
const time = new Set([0x0132, 0x9003, 0x9004, 0x9010, 0x9011, 0x9012, 0x9290, 0x9291, 0x9292])
const text = new Set([0x010e, 0x013b, 0x8298, 0x9286, 0x9c9b, 0x9c9c, 0x9c9d, 0x9c9e, 0x9c9f])
const gpsTime = new Set([0x07, 0x1d])

const valueBytes: Record<number, number> = { 1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 7: 1, 9: 4, 10: 8 }

/** The limit per directory. Cameras write dozens of entries. */
const maxEntries = 1_000

/** Thousands of entries may share one text. */
const maxTextBytes = 4096

type Entry = { tag: number; long: number; value: Buffer }

/**
 * @param tiff a JPEG's EXIF after its name, or a PNG's eXIf
 * @returns empty if malformed
 */
export function readExifMetadataKinds(tiff: Buffer): Set<Kind> {
  const kinds = new Set<Kind>()
  const order = tiff.toString('latin1', 0, 2)
  if (tiff.length < 8 || (order !== 'II' && order !== 'MM')) return kinds
  const little = order === 'II'
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))

  function directory(at: number): { entries: Entry[]; next: number } {
    if (at < 8 || at + 2 > tiff.length) return { entries: [], next: 0 }
    const count = Math.min(short(at), Math.floor((tiff.length - at - 2) / 12))
    const entries = Array.from({ length: Math.min(count, maxEntries) }, (_, index): Entry => {
      const entry = at + 2 + index * 12
      const size = (valueBytes[short(entry + 2)] ?? 1) * long(entry + 4)
      const start = size > 4 ? long(entry + 8) : entry + 8
      return { tag: short(entry), long: long(entry + 8), value: tiff.subarray(start, start + size) }
    })
    const next = at + 2 + count * 12
    return { entries, next: next + 4 <= tiff.length ? long(next) : 0 }
  }

  function look({ tag: number, value }: Entry): void {
    if (camera.has(number)) kinds.add('camera')
    if (time.has(number)) kinds.add('time')
    if (text.has(number) && isWritten(number, value)) kinds.add('text')
  }

  const { entries, next } = directory(long(4))
  const pointer = (number: number) => entries.find((entry) => entry.tag === number)?.long ?? 0
  entries.forEach(look)
  // Follows one pointer, because thousands may lead to one directory.
  directory(pointer(tag.exif)).entries.forEach(look)
  for (const { tag: number } of directory(pointer(tag.gps)).entries) {
    if (number !== tag.gpsVersion) kinds.add('place')
    if (gpsTime.has(number)) kinds.add('time')
  }
  if (next !== 0 && directory(next).entries.some(isThumbnail)) kinds.add('thumbnail')
  return kinds
}

const isThumbnail = (entry: Entry) => entry.tag === tag.thumbnail || entry.tag === tag.strips

/** Many cameras write blanks. A user comment starts with 8 bytes that name its encoding. */
const isWritten = (number: number, value: Buffer) =>
  value.subarray(number === tag.userComment ? 8 : 0, maxTextBytes).some((byte) => byte !== 0 && byte !== 0x20)
