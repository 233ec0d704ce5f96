/**
 * Zip archives without compression (PKWARE APPNOTE 6.3.10).
 * The file list determines every byte and offset, so any range can be rendered alone.
 * Sizes and offsets from 4 GiB and more than 65,534 files use ZIP64.
 */

/** `size` is in bytes; `crc32` is unsigned. */
export type ZipEntry = { name: string; size: number; crc32: number; at: Date }

export type ZipDirectory = { entries: number; startsAt: number; bytes: number }

const max32 = 0xffffffff
const max16 = 0xffff
const versionPlain = 20
const versionZip64 = 45
/** Unix is named as the host system, so that programs apply the permissions below. */
const madeBy = (3 << 8) | versionZip64
const utf8Names = 1 << 11
const permissions = (0o100644 << 16) >>> 0

/** Little-endian. */
function pack(...fields: readonly (readonly [bytes: 2 | 4 | 8, value: number])[]): Buffer {
  const packed = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0))
  let offset = 0
  for (const [bytes, value] of fields) {
    if (bytes === 8) packed.writeBigUInt64LE(BigInt(value), offset)
    else packed.writeUIntLE(value, offset, bytes)
    offset += bytes
  }
  return packed
}

/** In UTC. MS-DOS times start in 1980 and have a resolution of two seconds. */
function dosTime(at: Date): { date: number; time: number } {
  const year = Math.max(0, at.getUTCFullYear() - 1980)
  return {
    date: (year << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

const zip64Extra = (values: readonly number[]): Buffer =>
  values.length === 0
    ? Buffer.alloc(0)
    : pack([2, 1], [2, values.length * 8], ...values.map((value) => [8, value] as const))

export function renderLocalFileHeader({ name, size, crc32, at }: ZipEntry): Buffer {
  const isLarge = size >= max32
  const { date, time } = dosTime(at)
  const encoded = Buffer.from(name)
  const extra = zip64Extra(isLarge ? [size, size] : [])
  const shown = isLarge ? max32 : size
  return Buffer.concat([
    pack(
      [4, 0x04034b50],
      [2, isLarge ? versionZip64 : versionPlain],
      [2, utf8Names],
      [2, 0],
      [2, time],
      [2, date],
      [4, crc32],
      [4, shown],
      [4, shown],
      [2, encoded.length],
      [2, extra.length],
    ),
    encoded,
    extra,
  ])
}

/** @param startsAt the offset of the file's local header */
export function renderCentralDirectoryHeader({ name, size, crc32, at }: ZipEntry, startsAt: number): Buffer {
  const isLarge = size >= max32
  const isFar = startsAt >= max32
  const { date, time } = dosTime(at)
  const encoded = Buffer.from(name)
  const extra = zip64Extra([...(isLarge ? [size, size] : []), ...(isFar ? [startsAt] : [])])
  const shown = isLarge ? max32 : size
  return Buffer.concat([
    pack(
      [4, 0x02014b50],
      [2, madeBy],
      [2, isLarge || isFar ? versionZip64 : versionPlain],
      [2, utf8Names],
      [2, 0],
      [2, time],
      [2, date],
      [4, crc32],
      [4, shown],
      [4, shown],
      [2, encoded.length],
      [2, extra.length],
      [2, 0],
      [2, 0],
      [2, 0],
      [4, permissions],
      [4, isFar ? max32 : startsAt],
    ),
    encoded,
    extra,
  ])
}

export function renderEndOfCentralDirectory({ entries, startsAt, bytes }: ZipDirectory): Buffer {
  const isZip64 = entries >= max16 || startsAt >= max32 || bytes >= max32
  const end = pack(
    [4, 0x06054b50],
    [2, 0],
    [2, 0],
    [2, Math.min(entries, max16)],
    [2, Math.min(entries, max16)],
    [4, Math.min(bytes, max32)],
    [4, Math.min(startsAt, max32)],
    [2, 0],
  )
  if (!isZip64) return end
  return Buffer.concat([
    pack(
      [4, 0x06064b50],
      [8, 44],
      [2, madeBy],
      [2, versionZip64],
      [4, 0],
      [4, 0],
      [8, entries],
      [8, entries],
      [8, bytes],
      [8, startsAt],
    ),
    pack([4, 0x07064b50], [4, 0], [8, startsAt + bytes], [4, 1]),
    end,
  ])
}
