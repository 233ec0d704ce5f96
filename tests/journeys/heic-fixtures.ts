/** `heif-enc` (libheif 1.15, x265) made these files, and `write-gain-map.ts` made `gain-map`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '..', 'fixtures', 'heif')

type Fixture =
  | 'plain'
  | 'display-p3-with-gps'
  | '12-megapixels'
  | 'gain-map'
  | `exif-orientation-${1 | 2 | 3 | 4 | 5 | 6 | 7 | 8}`

/**
 * 160 × 120: green left, blue right, white below, red mark at the top left. `gain-map` has the chart of
 * tests/fixtures/heif/color-chart.ts.
 */
export const readHeic = (name: Fixture): Buffer => readFileSync(join(folder, `${name}.heic`))

const box = (type: string, body: readonly number[]): Buffer => {
  const bytes = Buffer.from([0, 0, 0, 8 + body.length, 0, 0, 0, 0, ...body])
  bytes.write(type, 4, 'latin1')
  return bytes
}

/** In anticlockwise quarter turns. */
export const turnBox = (quarters: number) => box('irot', [quarters])
/** 0 swaps top and bottom, 1 swaps left and right. */
export const mirrorBox = (axis: 0 | 1) => box('imir', [axis])
/** Numbers of ITU-T H.273: transfer 16 is PQ, 18 is HLG. */
export const colorBox = (primaries: number, transfer: number) =>
  box('colr', [...Buffer.from('nclx', 'latin1'), 0, primaries, 0, transfer, 0, 9, 0x80])

/** The file must come from `heif-enc`. */
export function withHeifProperty(heic: Buffer, property: Buffer): Buffer {
  const endOf = (type: string) => startOf(heic, type) + heic.readUInt32BE(startOf(heic, type))
  const [listEnd, association] = [endOf('ipco'), startOf(heic, 'ipma')]
  const changed = Buffer.from(heic)
  const grow = (type: string, by: number) =>
    changed.writeUInt32BE(heic.readUInt32BE(startOf(heic, type)) + by, startOf(heic, type))
  let count = 1
  for (let at = startOf(heic, 'ipco') + 8; at < listEnd; at += heic.readUInt32BE(at)) count += 1
  const added = property.length + 1
  grow('ipco', property.length)
  grow('ipma', 1)
  grow('iprp', added)
  grow('meta', added)
  // Skips the box header, version, number of entries and item.
  const own = association + 18
  changed[own] = (heic[own] ?? 0) + 1
  const ownEnd = own + 1 + (heic[own] ?? 0)
  const places = startOf(heic, 'iloc')
  for (let item = 0; item < heic.readUInt16BE(places + 14); item += 1) {
    const base = places + 16 + item * 18 + 4
    changed.writeUInt32BE(heic.readUInt32BE(base) + added, base)
  }
  return Buffer.concat([
    changed.subarray(0, listEnd),
    property,
    changed.subarray(listEnd, ownEnd),
    Buffer.from([count]),
    changed.subarray(ownEnd),
  ])
}

const startOf = (heic: Buffer, type: string) => heic.indexOf(type, 0, 'latin1') - 4
function withBytes(heic: Buffer, type: string, at: number, ...bytes: number[]): Buffer {
  const changed = Buffer.from(heic)
  changed.set(bytes, startOf(heic, type) + 8 + at)
  return changed
}
function withBoxSize(heic: Buffer, type: string, size: number): Buffer {
  const changed = Buffer.from(heic)
  changed.writeUInt32BE(size, startOf(heic, type))
  return changed
}
const cutAt = (heic: Buffer, share: number) => heic.subarray(0, Math.floor(heic.length * share))
const all = 255

export function createBrokenHeics(): Record<string, Buffer> {
  const [plain, tiles] = [readHeic('plain'), readHeic('gain-map')]
  // 14 bytes each: item, number of extents, offset, length.
  const place = (item: number) => 8 + 14 * (item - 1)
  const chartGrid = tiles.lastIndexOf(Buffer.from([0, 0, 1, 1, 0, 240, 0, 160]))
  const withGrid = (...bytes: number[]) => {
    const changed = Buffer.from(tiles)
    changed.set(bytes, chartGrid)
    return changed
  }
  return {
    'cut off in its first box': plain.subarray(0, 20),
    'cut off in what describes it': cutAt(plain, 0.3),
    'cut off before its pixels': plain.subarray(0, startOf(plain, 'mdat')),
    'cut off in its pixels': cutAt(tiles, 0.6),
    'a box larger than the file': withBoxSize(plain, 'meta', 0x7fff_ffff),
    'a box smaller than its own head': withBoxSize(plain, 'iinf', 4),
    'a list of properties that reaches beyond its box': withBoxSize(plain, 'ipco', 0x4000),
    'a box of more bytes than can be counted': withBytes(
      withBoxSize(plain, 'iprp', 1),
      'iprp',
      0,
      all,
      all,
      all,
      all,
    ),
    'no pixels across and down': withBytes(plain, 'ispe', 4, 0, 0, 0, 0, 0, 0, 0, 0),
    'a picture of 65,535 by 65,535 tiles’ pixels': withGrid(0, 0, 1, 1, all, all, all, all),
    'a grid of 256 by 256 with only four tiles': withGrid(0, 0, all, all),
    'no tiles': withBytes(tiles, 'dimg', 2, 0, 0),
    'a grid that is its own tile': withBytes(tiles, 'dimg', 4, 0, 5, 0, 5, 0, 5, 0, 5),
    'pixels that lie beyond its end': withBytes(tiles, 'iloc', place(1) + 6, 0x7f, all, all, all),
    'pixels of no length': withBytes(tiles, 'iloc', place(1) + 10, 0, 0, 0, 0),
    'a tile in more pieces than there are bytes': withBytes(tiles, 'iloc', place(1) + 4, all, all),
    'a missing main picture': withBytes(tiles, 'pitm', 4, 0, 99),
    'more properties than there are bytes': withBytes(plain, 'ipma', 4, all, all, all, all),
    'no words for its decoder': withBytes(plain, 'hvcC', 22, 0),
    'pixels of ones alone': (() => {
      const changed = Buffer.from(plain)
      return changed.fill(all, startOf(plain, 'mdat') + 8)
    })(),
  }
}
