type Bytes = Uint8Array<ArrayBuffer>

export type HeifContainer = {
  profile?: Bytes
  /** These are numbers of ITU-T H.273. */
  primaries?: number
  transfer?: number
  /** Whether the file itself rotates or mirrors its picture. */
  isTurned: boolean
  hasAlpha: boolean
  exif?: Bytes
}

/** @throws RangeError or Error for truncated or broken files */
export function readHeifContainer(bytes: Bytes): HeifContainer {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const meta = listBoxes(view, 0, bytes.length).find(({ type }) => type === 'meta')
  if (!meta) throw new Error('No picture in it')
  const parts = new Map(listBoxes(view, meta.start + 4, meta.end).map((box) => [box.type, box]))
  const primary = parts.get('pitm')
  const properties = parts.get('iprp')
  if (!primary || !properties) throw new Error('No picture in it')
  const id =
    view.getUint8(primary.start) === 0 ? view.getUint16(primary.start + 4) : view.getUint32(primary.start + 4)

  const below = listBoxes(view, properties.start, properties.end)
  const all = below
    .filter(({ type }) => type === 'ipco')
    .flatMap((box) => listBoxes(view, box.start, box.end))
  const own = below
    .filter(({ type }) => type === 'ipma')
    .flatMap((box) => readAssociations(view, box, id))
    .flatMap((at) => all[at - 1] ?? [])
  const exif = readExifItem(view, bytes, parts)
  demandWhole(view, parts, [id, ...listTiles(view, parts, id)])
  const hasAlpha = all.some(
    ({ type, start, end }) =>
      type === 'auxC' && alphaNames.some((name) => textOf(bytes, start + 4, end) === name),
  )
  return {
    hasAlpha,
    // A tiled picture may store the colours with its tiles.
    ...readColors(view, bytes, own.some(isColor) ? own : all),
    isTurned: own.some(({ type }) => type === 'irot' || type === 'imir'),
    ...(exif && { exif }),
  }
}

/** Names of an auxiliary picture in AVIF and in HEIC. */
const alphaNames = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha', 'urn:mpeg:hevc:2015:auxid:1']

/** Reads up to a zero byte. */
const textOf = (bytes: Bytes, start: number, end: number): string =>
  String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 100))).split('\0')[0] ?? ''

type Box = { type: string; start: number; end: number }

function word(bytes: Bytes, at: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + 4))
}

function listBoxes(view: DataView, start: number, end: number): Box[] {
  const found: Box[] = []
  let at = start
  while (at + 8 <= end) {
    const short = view.getUint32(at)
    const type = String.fromCharCode(...[4, 5, 6, 7].map((n) => view.getUint8(at + n)))
    const header = short === 1 ? 16 : 8
    const size = short === 0 ? end - at : short === 1 ? Number(view.getBigUint64(at + 8)) : short
    if (size < header || at + size > end) {
      // Truncated pixel data is accepted, truncated metadata is not.
      if (type === 'mdat') break
      throw new RangeError('A box is cut off')
    }
    found.push({ type, start: at + header, end: at + size })
    at += size
  }
  return found
}

/** Properties are counted from 1. */
function readAssociations(view: DataView, { start }: Box, id: number): number[] {
  const isWideId = view.getUint8(start) >= 1
  const isWide = (view.getUint8(start + 3) & 1) === 1
  const found: number[] = []
  let at = start + 8
  for (let entries = view.getUint32(start + 4); entries > 0; entries -= 1) {
    const item = isWideId ? view.getUint32(at) : view.getUint16(at)
    at += isWideId ? 4 : 2
    const count = view.getUint8(at)
    at += 1
    for (let n = 0; n < count; n += 1) {
      if (item === id) found.push(isWide ? view.getUint16(at) & 0x7fff : view.getUint8(at) & 0x7f)
      at += isWide ? 2 : 1
    }
  }
  return found
}

const isColor = ({ type }: Box) => type === 'colr'

function readColors(view: DataView, bytes: Bytes, boxes: readonly Box[]): Partial<HeifContainer> {
  const found: Partial<HeifContainer> = {}
  for (const { start, end } of boxes.filter(isColor)) {
    const kind = word(bytes, start)
    if (kind === 'nclx') {
      found.primaries ??= view.getUint16(start + 4)
      found.transfer ??= view.getUint16(start + 6)
    } else if (kind === 'prof' || kind === 'rICC') found.profile ??= bytes.subarray(start + 4, end)
  }
  return found
}

function readExifItem(view: DataView, bytes: Bytes, parts: ReadonlyMap<string, Box>): Bytes | undefined {
  const [infos, places] = [parts.get('iinf'), parts.get('iloc')]
  if (!infos || !places) return undefined
  const entries = listBoxes(view, infos.start + (view.getUint8(infos.start) === 0 ? 6 : 8), infos.end)
  const exif = entries.find(({ start }) => {
    const isWide = view.getUint8(start) >= 3
    return word(bytes, start + (isWide ? 10 : 8)) === 'Exif'
  })
  if (!exif) return undefined
  const id = view.getUint8(exif.start) >= 3 ? view.getUint32(exif.start + 4) : view.getUint16(exif.start + 4)
  const place = readPlaces(view, places, [id]).get(id)
  const [piece] = place?.pieces ?? []
  if (!place || !piece) return undefined
  const from = place.method === inItemData ? (parts.get('idat')?.start ?? 0) + piece.offset : piece.offset
  if (from + piece.length > bytes.length) return undefined
  const item = bytes.subarray(from, from + piece.length)
  // The first four bytes contain the offset of the TIFF data.
  return item.length > 4
    ? item.subarray(4 + new DataView(item.buffer, item.byteOffset).getUint32(0))
    : undefined
}

function listTiles(view: DataView, parts: ReadonlyMap<string, Box>, id: number): number[] {
  const references = parts.get('iref')
  if (!references) return []
  const isWideId = view.getUint8(references.start) >= 1
  const read = (at: number) => (isWideId ? view.getUint32(at) : view.getUint16(at))
  const width = isWideId ? 4 : 2
  return listBoxes(view, references.start + 4, references.end)
    .filter(({ type, start }) => type === 'dimg' && read(start) === id)
    .flatMap(({ start }) =>
      Array.from({ length: view.getUint16(start + width) }, (_, n) => read(start + width + 2 + n * width)),
    )
}

/**
 * The decoder would leave a hole for a missing tile.
 * @throws RangeError
 */
function demandWhole(view: DataView, parts: ReadonlyMap<string, Box>, ids: readonly number[]): void {
  const places = parts.get('iloc')
  const found = places ? readPlaces(view, places, ids) : new Map<number, Place>()
  for (const id of ids) {
    const { method, pieces } = found.get(id) ?? { method: inFile, pieces: [] }
    if (method !== inFile && method !== inItemData) continue
    const size = method === inFile ? view.byteLength : sizeOf(parts.get('idat'))
    if (pieces.length === 0 || pieces.some(({ offset, length }) => length === 0 || offset + length > size))
      throw new RangeError('A part of the picture is missing')
  }
}

const sizeOf = (box: Box | undefined): number => (box ? box.end - box.start : 0)

/** The format numbers the methods. Its third, storage inside another item, is not supported. */
const [inFile, inItemData] = [0, 1]
type Place = { method: number; pieces: { offset: number; length: number }[] }

function readPlaces(view: DataView, { start }: Box, wanted: readonly number[]): Map<number, Place> {
  const version = view.getUint8(start)
  const sizes = view.getUint16(start + 4)
  const [offsetSize, lengthSize, baseSize] = [sizes >> 12, (sizes >> 8) & 15, (sizes >> 4) & 15]
  const indexSize = version > 0 ? sizes & 15 : 0
  let at = start + 6
  const read = (size: number) => {
    const value =
      size === 0
        ? 0
        : size === 2
          ? view.getUint16(at)
          : size === 4
            ? view.getUint32(at)
            : Number(view.getBigUint64(at))
    at += size
    return value
  }
  const ids = new Set(wanted)
  const found = new Map<number, Place>()
  for (let count = read(version < 2 ? 2 : 4); count > 0; count -= 1) {
    const id = read(version < 2 ? 2 : 4)
    const method = version > 0 ? read(2) & 15 : inFile
    at += 2
    const base = read(baseSize)
    const amount = read(2)
    if (!ids.has(id) || found.has(id)) {
      at += amount * (indexSize + offsetSize + lengthSize)
      continue
    }
    const pieces = Array.from({ length: amount }, () => {
      read(indexSize)
      return { offset: base + read(offsetSize), length: read(lengthSize) }
    })
    found.set(id, { method, pieces })
  }
  return found
}
