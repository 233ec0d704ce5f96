/** PNG files are sanitised before any decoder sees them. */
import { crc32, deflateSync } from 'node:zlib'
import { extractPngDeflatedData, inflateWithSizeLimit, maxInflatedBytes } from './bounded-inflate.ts'
import { encodePngChunk } from './encode-png-chunk.ts'
import { type ExifOrientation, readExifOrientation, writeExifOrientation } from './exif-orientation.ts'
import {
  cameraCurve,
  createGreyProfileOf,
  createIccProfile,
  getIccColorSpace,
  maxIccProfileBytes,
  type Primaries,
  p3Primaries,
  readIccProfile,
  rec2020Primaries,
  srgbCurve,
  srgbPrimaries,
  type TransferCurve,
} from './icc-profile.ts'
import {
  assertImageDimensionsAllowed,
  throwDamagedImageFailure,
  throwUnsupportedImageFailure,
} from './image-errors.ts'
import {
  createRemovedMetadataCollector,
  type RemovedMetadataCollector,
} from './removed-metadata-collector.ts'
import type { SanitizedImage } from './sanitized-image.ts'

const maxChunks = 100_000
const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

type Chunk = { type: string; body: Buffer; whole: Buffer }

export const isPng = (bytes: Buffer): boolean => bytes.subarray(0, 8).equals(signature)

/**
 * @param bytes a whole file for which `isPng` is true
 * @throws Failure as `sanitizeImage`
 */
export function sanitizePng(bytes: Buffer): SanitizedImage {
  const header = chunkAt(bytes, 8)
  const { width, height, palette, grey } = readHeader(header)
  const color = new Map<string, Chunk>()
  const before: Buffer[] = []
  const pixels: Buffer[] = []
  const seen = new Set<string>()
  const removed = createRemovedMetadataCollector()
  let orientation: ExifOrientation = 1
  let inflatable = maxInflatedBytes

  let at = 8 + header.whole.length
  for (let chunks = 1; ; chunks += 1) {
    if (chunks > maxChunks) throwDamagedImageFailure('it has too many parts')
    const chunk = chunkAt(bytes, at)
    const { type, body, whole } = chunk
    at += whole.length
    if (type === 'IEND') break
    if (type === 'IDAT') {
      pixels.push(whole)
      continue
    }
    const inflated = inflatePart(type, body, inflatable)
    inflatable -= inflated?.length ?? 0
    noteDropped(removed, type, body, inflated)
    if (type === 'acTL') throwUnsupportedImageFailure('Animated pictures cannot be uploaded.')
    const isLate = pixels.length > 0
    // Browsers ignore an orientation after the pixels.
    if (type === 'eXIf' && !seen.has(type)) orientation = isLate ? 1 : readExifOrientation(body)
    else if (colorChunkTypes.includes(type)) {
      // Chromium ignores only cICP after the palette.
      const isTooLate = isLate || (type === 'cICP' && seen.has('PLTE'))
      if (!seen.has(type) && !isTooLate) color.set(type, chunk)
    } else if (isKept(type, body, seen) && !isLate) before.push(whole)
    else if (isCritical(type) && type !== 'PLTE') throwDamagedImageFailure('it has a part that no PNG has')
    seen.add(type)
  }
  if (pixels.length === 0) throwDamagedImageFailure('it has no pixels')
  if (palette && !seen.has('PLTE')) throwDamagedImageFailure('its palette is missing')

  if (orientation !== 1) before.push(encodePngChunk('eXIf', writeExifOrientation(orientation)))
  const parts = [
    signature,
    header.whole,
    ...describeColor(color, grey),
    ...before,
    ...pixels,
    encodePngChunk('IEND', Buffer.alloc(0)),
  ]
  return { mime: 'image/png', width, height, orientation, parts, removed: removed.list() }
}

/** Undefined if nothing is compressed. @throws Failure storage_file_damaged above `max` bytes */
function inflatePart(type: string, body: Buffer, max: number): Buffer | undefined {
  const deflated = extractPngDeflatedData(type, body)
  const inflated = deflated && inflateWithSizeLimit(deflated, max)
  if (inflated === 'too much') throwDamagedImageFailure('it carries more text than any picture has')
  return inflated?.bytes
}

/**
 * A text begins with its name and a zero byte (PNG §11.3.3).
 * @param inflated the chunk's part, if it was compressed
 */
function noteDropped(
  removed: RemovedMetadataCollector,
  type: string,
  body: Buffer,
  inflated: Buffer | undefined,
): void {
  if (type === 'eXIf') removed.addExif(body)
  if (type === 'tIME') removed.add('time')
  if (type !== 'tEXt' && type !== 'zTXt' && type !== 'iTXt') return
  const end = body.indexOf(0)
  if (end !== -1) removed.addKeyword(body.toString('latin1', 0, end), inflated ?? body.subarray(end + 1))
}

/** Reads a chunk (PNG §5.3). Verifies the checksum even of dropped chunks. */
function chunkAt(bytes: Buffer, at: number): Chunk {
  if (at + 12 > bytes.length) throwDamagedImageFailure('its end is missing')
  const length = bytes.readUInt32BE(at)
  const end = at + 12 + length
  if (length > 0x7fffffff) throwDamagedImageFailure('a part has an impossible length')
  if (end > bytes.length) throwDamagedImageFailure('its end is missing')
  const type = bytes.toString('latin1', at + 4, at + 8)
  if (!/^[A-Za-z]{4}$/.test(type)) throwDamagedImageFailure('a part has no proper name')
  if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4))
    throwDamagedImageFailure('a checksum is wrong')
  return { type, body: bytes.subarray(at + 8, end - 4), whole: bytes.subarray(at, end) }
}

const depths: Record<number, number[]> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
}

function readHeader({ type, body }: Chunk): {
  width: number
  height: number
  palette: boolean
  grey: boolean
} {
  if (type !== 'IHDR' || body.length !== 13) throwDamagedImageFailure('its size is not readable')
  const [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
  assertImageDimensionsAllowed(width, height)
  const [depth = 0, color = -1, compression, filter, interlace = 2] = body.subarray(8)
  if (!depths[color]?.includes(depth) || compression !== 0 || filter !== 0 || interlace > 1) {
    throwDamagedImageFailure('its kind of pixels is unknown')
  }
  return { width, height, palette: color === 3, grey: color === 0 || color === 4 }
}

/** Each chunk type is kept once, in the order that decoders require: colour, palette, transparency. */
function isKept(type: string, body: Buffer, seen: Set<string>): boolean {
  if (seen.has(type)) return false
  switch (type) {
    case 'PLTE':
      return !seen.has('tRNS') && body.length > 0 && body.length <= 768 && body.length % 3 === 0
    case 'tRNS':
      return body.length > 0 && body.length <= 256
    default:
      return false
  }
}

/** A gamma this close to sRGB's counts as sRGB. libpng and Chromium use the same tolerance. */
const gammaTolerance = 0.05
const colorChunkTypes = ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM']

/**
 * Both browsers and libvips read the result: a profile or sRGB. The first in `colorChunkTypes` counts (PNG
 * §4.3).
 * @throws Failure storage_file_type_unsupported for colours that a profile cannot describe
 */
function describeColor(chunks: ReadonlyMap<string, Chunk>, grey: boolean): Buffer[] {
  const code = chunks.get('cICP')?.body
  if (code?.length === 4) return describeCodePoints(code, grey)
  const stored = chunks.get('iCCP')
  const kept = stored && readProfileChunk(stored, grey)
  if (kept) return [kept]
  const srgb = chunks.get('sRGB')
  if (srgb?.body.length === 1) return [srgb.whole]
  const gamma = chunks.get('gAMA')?.body
  // Browsers ignore primaries without a curve, and treat a curve near 1/2.2 alone as sRGB.
  const exponent = gamma?.length === 4 ? 100_000 / gamma.readUInt32BE(0) : null
  const primaries = readPrimaries(chunks.get('cHRM')?.body)
  if (exponent === null || (!primaries && Math.abs(exponent / 2.2 - 1) < gammaTolerance)) return []
  return profileChunks(grey ? null : (primaries ?? srgbPrimaries), [exponent])
}

/** Returns null if browsers would ignore the profile. Drops trailing bytes. */
function readProfileChunk({ body, whole }: Chunk, grey: boolean): Buffer | null {
  const deflated = extractPngDeflatedData('iCCP', body)
  const inflated = deflated && inflateWithSizeLimit(deflated, maxIccProfileBytes)
  if (!inflated || inflated === 'too much') return null
  const profile = readIccProfile(inflated.bytes)
  if (!profile) return null
  const ofGrey = grey && getIccColorSpace(profile) === 'RGB ' && createGreyProfileOf(profile)
  if (ofGrey) return profileChunk(ofGrey)
  return inflated.whole && profile.length === inflated.bytes.length ? whole : profileChunk(profile)
}

const profileChunk = (profile: Buffer) =>
  encodePngChunk('iCCP', Buffer.concat([Buffer.from('ICC\0\0', 'latin1'), deflateSync(profile)]))

function profileChunks(primaries: Primaries | null, curve: TransferCurve): Buffer[] {
  const profile = createIccProfile(primaries, curve)
  return profile ? [profileChunk(profile)] : []
}

/** Reads each primary as x and y (PNG §11.3.2.1). */
function readPrimaries(body: Buffer | undefined): Primaries | null {
  if (body?.length !== 32) return null
  const at = (index: number) =>
    [body.readUInt32BE(8 * index) / 100_000, body.readUInt32BE(8 * index + 4) / 100_000] as const
  return { white: at(0), red: at(1), green: at(2), blue: at(3) }
}

/** ITU-T H.273 §8.1, §8.2. A profile cannot describe HDR. */
const primariesByCodePoint: Record<number, Primaries> = {
  1: srgbPrimaries,
  9: rec2020Primaries,
  12: p3Primaries,
}
const curvesByCodePoint: Record<number, TransferCurve> = {
  1: cameraCurve,
  4: [2.2],
  5: [2.8],
  6: cameraCurve,
  8: [1],
  13: srgbCurve,
  14: cameraCurve,
  15: cameraCurve,
}

function describeCodePoints([primary = 0, transfer = 0, matrix, range]: Buffer, grey: boolean): Buffer[] {
  const primaries = primariesByCodePoint[primary]
  const curve = curvesByCodePoint[transfer]
  if (!primaries || !curve || matrix !== 0 || range !== 1)
    return throwUnsupportedImageFailure('The colours of this PNG are not supported, such as those of HDR.')
  return profileChunks(grey ? null : primaries, curve)
}

/** A chunk type's first letter is upper case if decoders must understand the chunk (PNG §5.4). */
const isCritical = (type: string) => (type.charCodeAt(0) & 0x20) === 0
