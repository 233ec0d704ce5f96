/**
 * Without its colour profile, a picture is decoded with unchanged pixel values. Adding the profile to the re-encoded
 * picture restores the colours.
 */
import type { RemovedMetadata } from '#contract/files/files.ts'
import { readExif } from './exif.ts'

export type SplitImage = {
  type: 'image/jpeg' | 'image/png'
  pixels: Blob
  /** EXIF orientation, 1 to 8. */
  orientation: number
  /** Complete JPEG segments or PNG chunks. Empty if the browser should convert the colours. */
  color: Uint8Array<ArrayBuffer>[]
  removed: RemovedMetadata[]
}

type Bytes = Uint8Array<ArrayBuffer>

/** @throws Error for bytes that are neither JPEG nor PNG */
export function splitColorProfile(bytes: Bytes): SplitImage {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return splitJpeg(bytes)
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return splitPng(bytes)
  throw new Error('Neither JPEG nor PNG')
}

export async function withColorProfile(
  encoded: Blob,
  { type, color }: Pick<SplitImage, 'type' | 'color'>,
): Promise<Blob> {
  if (color.length === 0) return encoded
  const bytes = new Uint8Array(await encoded.arrayBuffer())
  const rest =
    type === 'image/jpeg'
      ? listJpegSegments(bytes)
          .filter((segment) => !isProfile(segment))
          .map(({ bytes }) => bytes)
      : listPngChunks(bytes)
          .filter(({ type }) => !colorChunks.includes(type))
          .map(({ bytes }) => bytes)
  // A JPEG's JFIF segment and a PNG's header must come first.
  const first = type === 'image/jpeg' ? 1 + Number(rest[1]?.[1] === 0xe0) : 2
  return new Blob([...rest.slice(0, first), ...color, ...rest.slice(first)], { type })
}

/** Segments are numbered from 1. */
export function toJpegProfileSegments(profile: Bytes): Bytes[] {
  const most = 0xffff - 16
  const count = Math.ceil(profile.length / most)
  return Array.from({ length: count }, (_, n) => {
    const part = profile.subarray(n * most, (n + 1) * most)
    const segment = new Uint8Array(18 + part.length)
    segment.set([0xff, 0xe2])
    new DataView(segment.buffer).setUint16(2, 16 + part.length)
    segment.set(new TextEncoder().encode('ICC_PROFILE\0'), 4)
    segment.set([n + 1, count], 16)
    segment.set(part, 18)
    return segment
  })
}

type Segment = { marker: number; bytes: Bytes; body: Bytes }

/** The last entry contains the image data and everything after it. */
function listJpegSegments(bytes: Bytes): Segment[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Segment[] = [{ marker: 0xd8, bytes: bytes.subarray(0, 2), body: bytes.subarray(0, 0) }]
  let at = 2
  while (at + 4 <= bytes.length && bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? 0
    // A marker may be padded with any number of 0xff.
    if (marker === 0xff) {
      at += 1
      continue
    }
    const end = at + 2 + view.getUint16(at + 2)
    if (marker === 0xda || end > bytes.length) break
    found.push({ marker, bytes: bytes.subarray(at, end), body: bytes.subarray(at + 4, end) })
    at = end
  }
  found.push({ marker: 0xda, bytes: bytes.subarray(at), body: bytes.subarray(0, 0) })
  return found
}

/** Undefined if `start` does not contain the size. @param start the start of a JPEG or PNG */
export function readImageHeader(
  start: Bytes,
): { width: number; height: number; isCmyk: boolean } | undefined {
  const view = new DataView(start.buffer, start.byteOffset, start.byteLength)
  if (start[0] === 0x89 && start[1] === 0x50 && start.length >= 24)
    return { width: view.getUint32(16), height: view.getUint32(20), isCmyk: false }
  if (start[0] !== 0xff || start[1] !== 0xd8) return undefined
  const frame = listJpegSegments(start).find(({ marker }) => marker >= 0xc0 && marker <= 0xc2)?.body
  if (!frame || frame.length < 6) return undefined
  const size = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  return { width: size.getUint16(3), height: size.getUint16(1), isCmyk: frame[5] === 4 }
}

const startsWith = (body: Bytes, text: string): boolean =>
  body.length >= text.length && [...text].every((char, at) => body[at] === char.charCodeAt(0))

const isProfile = ({ marker, body }: Segment) => marker === 0xe2 && startsWith(body, 'ICC_PROFILE\0')
const isExif = ({ marker, body }: Segment) => marker === 0xe1 && startsWith(body, 'Exif\0\0')
/** Decoders need JFIF (0xe0), and Adobe (0xee) to know how colours are stored. */
const isApplicationData = ({ marker }: Segment) => marker >= 0xe1 && marker <= 0xef && marker !== 0xee

function splitJpeg(bytes: Bytes): SplitImage {
  const segments = listJpegSegments(bytes)
  const exif = segments.find(isExif)
  const details = exif && readExif(exif.body.subarray(6))
  const profile = segments.filter(isProfile)
  const [first] = profile
  // A twelve-byte name and two bytes for the part number precede the profile.
  const isOfRgb = first !== undefined && isRgbProfile(first.body.subarray(14))
  const kept = segments.filter(
    (segment) => !isApplicationData(segment) || (!isOfRgb && profile.includes(segment)),
  )
  return {
    type: 'image/jpeg',
    pixels: new Blob(
      kept.map((segment) => segment.bytes),
      { type: 'image/jpeg' },
    ),
    orientation: details?.orientation ?? 1,
    removed: [
      ...(details?.hasPlace ? (['place'] as const) : []),
      ...(details?.hasTime ? (['time'] as const) : []),
    ],
    color: isOfRgb ? profile.map((segment) => segment.bytes) : [],
  }
}

/** A canvas writes RGB. The browser converts CMYK and greyscale. */
export const isRgbProfile = (profile: Bytes): boolean => startsWith(profile.subarray(16, 20), 'RGB ')

type Chunk = { type: string; bytes: Bytes }

/** The first entry is the signature, with an empty type. */
function listPngChunks(bytes: Bytes): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const found: Chunk[] = [{ type: '', bytes: bytes.subarray(0, 8) }]
  let at = 8
  while (at + 12 <= bytes.length) {
    const end = at + 12 + view.getUint32(at)
    found.push({
      type: String.fromCharCode(...bytes.subarray(at + 4, at + 8)),
      bytes: bytes.subarray(at, end),
    })
    at = end
  }
  return found
}

const colorChunks = ['iCCP', 'sRGB', 'gAMA', 'cHRM', 'cICP']

function splitPng(bytes: Bytes): SplitImage {
  const chunks = listPngChunks(bytes)
  const header = chunks.find(({ type }) => type === 'IHDR')
  // Bit 1 of the colour type marks a colour image. Greyscale needs a different profile.
  const isColored = ((header?.bytes[17] ?? 0) & 2) !== 0
  const isColor = ({ type }: Chunk) => isColored && colorChunks.includes(type)
  return {
    type: 'image/png',
    pixels: new Blob(
      chunks.filter((chunk) => !isColor(chunk)).map((chunk) => chunk.bytes),
      { type: 'image/png' },
    ),
    orientation: 1,
    removed: [],
    color: chunks.filter(isColor).map((chunk) => chunk.bytes),
  }
}
