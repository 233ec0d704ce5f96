/** Profiles follow ICC.1:2022. Without its profile, a wide-gamut image would change its colours. */

/** Profiles of printing presses have up to 2.8 MB. */
export const maxIccProfileBytes = 4 * 1024 * 1024
const headerBytes = 128
const tagEntryBytes = 12
/** Real profiles have dozens. */
const maxTags = 1000

/**
 * The ICC header (§7.2) contains the profile's size and `acsp`. Some cameras add padding after the profile.
 * @returns the profile without padding, or null if browsers would ignore it
 */
export function readIccProfile(bytes: Buffer): Buffer | null {
  if (bytes.length < headerBytes + 4) return null
  const size = bytes.readUInt32BE(0)
  if (size < headerBytes + 4 || size > Math.min(bytes.length, maxIccProfileBytes)) return null
  const profile = bytes.subarray(0, size)
  return profile.toString('latin1', 36, 40) === 'acsp' && describesColors(profile) ? profile : null
}

/** Four letters (§7.2.8), such as `RGB `, `GRAY` or `CMYK`. */
export const getIccColorSpace = (profile: Buffer): string => profile.toString('latin1', 16, 20)

/** @returns null if the profile has no such tag, or if the tag is outside the profile (§7.3) */
export function getIccTag(profile: Buffer, name: string): Buffer | null {
  const count = Math.min(profile.readUInt32BE(headerBytes), maxTags)
  for (let index = 0; index < count; index += 1) {
    const entry = headerBytes + 4 + tagEntryBytes * index
    if (entry + tagEntryBytes > profile.length) return null
    if (profile.toString('latin1', entry, entry + 4) !== name) continue
    const start = profile.readUInt32BE(entry + 4)
    const end = start + profile.readUInt32BE(entry + 8)
    return end <= profile.length ? profile.subarray(start, end) : null
  }
  return null
}

/** Like browsers, requires a table of colours, or curves to XYZ (§7.2.9) for grey or for primaries. */
function describesColors(profile: Buffer): boolean {
  const has = (name: string, ...types: string[]) =>
    types.includes(getIccTag(profile, name)?.toString('latin1', 0, 4) ?? '')
  const hasCurve = (name: string) => has(name, 'curv', 'para')
  if (['A2B0', 'A2B1'].some((name) => has(name, 'mft1', 'mft2', 'mAB '))) return true
  if (profile.toString('latin1', 20, 24) !== 'XYZ ') return false
  if (getIccColorSpace(profile) === 'GRAY') return hasCurve('kTRC')
  return ['r', 'g', 'b'].every((color) => hasCurve(`${color}TRC`) && has(`${color}XYZ`, 'XYZ '))
}

type Chromaticity = readonly [x: number, y: number]
export type Primaries = { white: Chromaticity; red: Chromaticity; green: Chromaticity; blue: Chromaticity }
/** Converts a stored value v to light: v^g. With five numbers, (a·v + b)^g from d on, and c·v below d. */
export type TransferCurve =
  | readonly [g: number]
  | readonly [g: number, a: number, b: number, c: number, d: number]

const d65: Chromaticity = [0.3127, 0.329]
export const srgbPrimaries: Primaries = {
  white: d65,
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
}
export const p3Primaries: Primaries = {
  white: d65,
  red: [0.68, 0.32],
  green: [0.265, 0.69],
  blue: [0.15, 0.06],
}
export const rec2020Primaries: Primaries = {
  white: d65,
  red: [0.708, 0.292],
  green: [0.17, 0.797],
  blue: [0.131, 0.046],
}
export const srgbCurve: TransferCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]
/** Browsers show BT.601, BT.709 and BT.2020 with this curve (ITU-R BT.1886). */
export const cameraCurve: TransferCurve = [2.4]

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

/** D50 as ICC rounds it (§7.2.16). */
const d50: Vector = [0.9642, 1, 0.8249]
/** Converts XYZ to the responses of cones, in which white points are adapted. */
const bradford: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

const apply = (matrix: Matrix, [x, y, z]: Vector): Vector => {
  const row = ([a, b, c]: Vector) => a * x + b * y + c * z
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}
const cross = ([a, b, c]: Vector, [x, y, z]: Vector): Vector => [b * z - c * y, c * x - a * z, a * y - b * x]
const transpose = ([a, b, c]: Matrix): Matrix => [
  [a[0], b[0], c[0]],
  [a[1], b[1], c[1]],
  [a[2], b[2], c[2]],
]
function invert(matrix: Matrix): Matrix {
  const [a, b, c] = transpose(matrix)
  const [u, v, w] = [cross(b, c), cross(c, a), cross(a, b)]
  const determinant = a[0] * u[0] + a[1] * u[1] + a[2] * u[2]
  const over = ([x, y, z]: Vector): Vector => [x / determinant, y / determinant, z / determinant]
  return [over(u), over(v), over(w)]
}

const toXyz = ([x, y]: Chromaticity): Vector => [x / y, 1, (1 - x - y) / y]

/** Computes XYZ under D50 (§F.1). Null if the primaries span no colours. */
function adaptPrimaries({ white, red, green, blue }: Primaries): Matrix | null {
  const primaries: Matrix = [toXyz(red), toXyz(green), toXyz(blue)]
  const shares = apply(invert(transpose(primaries)), toXyz(white))
  const from = apply(bradford, toXyz(white))
  const to = apply(bradford, d50)
  const back = invert(bradford)
  const adapt = (vector: Vector, share: number): Vector => {
    const [l, m, s] = apply(bradford, vector)
    const [x, y, z] = apply(back, [(l * to[0]) / from[0], (m * to[1]) / from[1], (s * to[2]) / from[2]])
    return [x * share, y * share, z * share]
  }
  const adapted: Matrix = [
    adapt(primaries[0], shares[0]),
    adapt(primaries[1], shares[1]),
    adapt(primaries[2], shares[2]),
  ]
  return adapted.flat().every((value) => Number.isFinite(value) && Math.abs(value) < 100) ? adapted : null
}

function fixed(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, index) => void bytes.writeInt32BE(Math.round(value * 65_536), 4 * index))
  return bytes
}

const tagOf = (type: string, ...parts: Buffer[]) =>
  Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), ...parts])
const xyzTag = (value: Vector) => tagOf('XYZ ', fixed(...value))
/** ICC §10.18. Kind 0 takes one number and kind 3 takes five. */
const curveTag = (curve: TransferCurve) =>
  tagOf('para', Buffer.of(0, curve.length === 1 ? 0 : 3, 0, 0), fixed(...curve))
function textTag(text: string): Buffer {
  const head = Buffer.alloc(20)
  head.writeUInt32BE(1, 0)
  head.writeUInt32BE(12, 4)
  head.write('enUS', 8, 'latin1')
  head.writeUInt32BE(2 * text.length, 12)
  head.writeUInt32BE(28, 16)
  return tagOf('mluc', head, Buffer.from(text, 'utf16le').swap16())
}

/**
 * @param primaries null for grey
 * @returns null if the primaries or the curve describe no colours
 */
export function createIccProfile(primaries: Primaries | null, curve: TransferCurve): Buffer | null {
  const adapted = primaries && adaptPrimaries(primaries)
  if ((primaries && !adapted) || !(curve[0] >= 0.1 && curve[0] <= 10)) return null
  if (!adapted) return assembleProfile('GRAY', [['kTRC', curveTag(curve)]])
  return assembleProfile('RGB ', [
    ['rXYZ', xyzTag(adapted[0])],
    ['gXYZ', xyzTag(adapted[1])],
    ['bXYZ', xyzTag(adapted[2])],
    ['rTRC', curveTag(curve)],
    ['gTRC', curveTag(curve)],
    ['bTRC', curveTag(curve)],
  ])
}

/**
 * Browsers show grey with an RGB profile, which libpng refuses.
 * @returns a profile of grey with the same curve, or null if the profile has no curve
 */
export function createGreyProfileOf(profile: Buffer): Buffer | null {
  const curve = getIccTag(profile, 'gTRC')
  return curve && assembleProfile('GRAY', [['kTRC', curve]])
}

type Tag = readonly [name: string, tag: Buffer]

function assembleProfile(space: 'GRAY' | 'RGB ', colors: readonly Tag[]): Buffer {
  const tags: Tag[] = [
    ['desc', textTag('As the file says')],
    ['cprt', textTag('CC0')],
    ['wtpt', xyzTag(d50)],
    ...colors,
  ]
  const table = Buffer.alloc(4 + tagEntryBytes * tags.length)
  table.writeUInt32BE(tags.length, 0)
  const bodies: Buffer[] = []
  let at = headerBytes + table.length
  for (const [index, [name, tag]] of tags.entries()) {
    const entry = 4 + tagEntryBytes * index
    table.write(name, entry, 'latin1')
    table.writeUInt32BE(at, entry + 4)
    table.writeUInt32BE(tag.length, entry + 8)
    const padded = Buffer.concat([tag, Buffer.alloc(-tag.length & 3)])
    bodies.push(padded)
    at += padded.length
  }
  const header = Buffer.alloc(headerBytes)
  header.writeUInt32BE(at, 0)
  header.writeUInt32BE(0x04300000, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  header.writeUInt16BE(2000, 24)
  header.writeUInt16BE(1, 26)
  header.writeUInt16BE(1, 28)
  header.write('acsp', 36, 'latin1')
  fixed(...d50).copy(header, 68)
  return Buffer.concat([header, table, ...bodies])
}
