/**
 * Takes a JPEG or PNG apart into what draws it and what says which colours its numbers mean. A photo that is decoded without its
 * profile keeps its numbers, in every browser; encoded again with the profile it has the same colours as before.
 */
import { readExif } from './exif.ts'

export type SplitImage = {
  type: 'image/jpeg' | 'image/png'
  /** What is left to decode. */
  pixels: Blob
  /** EXIF's, 1 to 8. */
  orientation: number
  /** Segments of a JPEG or chunks of a PNG, whole; empty where the browser itself should convert the colours. */
  color: Uint8Array<ArrayBuffer>[]
}

type Bytes = Uint8Array<ArrayBuffer>

/** @throws Error for bytes that are neither JPEG nor PNG */
export function splitColorProfile(bytes: Bytes): SplitImage {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return splitJpeg(bytes)
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return splitPng(bytes)
  throw new Error('Neither JPEG nor PNG')
}

/** Gives a picture that was just encoded the colours of the one it was drawn from. */
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
  // After the first: JFIF's segment, and PNG's header, must stay where they are.
  const first = type === 'image/jpeg' ? 1 + Number(rest[1]?.[1] === 0xe0) : 2
  return new Blob([...rest.slice(0, first), ...color, ...rest.slice(first)], { type })
}

/** The segments in which a JPEG carries a colour profile, numbered from 1. */
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

/** Lists a JPEG's segments: the start, each before the picture's data, and all from there on as the last. */
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

const startsWith = (body: Bytes, text: string): boolean =>
  body.length >= text.length && [...text].every((char, at) => body[at] === char.charCodeAt(0))

const isProfile = ({ marker, body }: Segment) => marker === 0xe2 && startsWith(body, 'ICC_PROFILE\0')
const isExif = ({ marker, body }: Segment) => marker === 0xe1 && startsWith(body, 'Exif\0\0')
/** Application data beyond what decoding needs: JFIF (0xe0) and Adobe's (0xee), which says how colours are stored. */
const isApplicationData = ({ marker }: Segment) => marker >= 0xe1 && marker <= 0xef && marker !== 0xee

function splitJpeg(bytes: Bytes): SplitImage {
  const segments = listJpegSegments(bytes)
  const exif = segments.find(isExif)
  const profile = segments.filter(isProfile)
  const [first] = profile
  // Twelve letters of name, two of the part's number, then the profile.
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
    orientation: exif ? readExif(exif.body.subarray(6)).orientation : 1,
    color: isOfRgb ? profile.map((segment) => segment.bytes) : [],
  }
}

/** Says whether a profile is of numbers as a canvas writes them; CMYK and grey are converted by the browser. */
export const isRgbProfile = (profile: Bytes): boolean => startsWith(profile.subarray(16, 20), 'RGB ')

type Chunk = { type: string; bytes: Bytes }

/** Lists a PNG's signature, as a chunk without a type, and its chunks. */
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
  // Bit 1 of the colour type: grey has a profile of its own.
  const isColored = ((header?.bytes[17] ?? 0) & 2) !== 0
  const isColor = ({ type }: Chunk) => isColored && colorChunks.includes(type)
  return {
    type: 'image/png',
    pixels: new Blob(
      chunks.filter((chunk) => !isColor(chunk)).map((chunk) => chunk.bytes),
      { type: 'image/png' },
    ),
    orientation: 1,
    color: chunks.filter(isColor).map((chunk) => chunk.bytes),
  }
}
