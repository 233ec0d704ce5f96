/**
 * A JPEG segment by segment, before any decoder sees it. Kept is what draws the picture; cameras' notes, places,
 * thumbnails, comments and whatever follows the end are left behind (reading W-02, security reference §4.5). Nothing is
 * decoded, so a file costs one pass over its bytes.
 */
import { isColourProfile } from './colour-profile.ts'
import { type Orientation, readOrientation, writeOrientation } from './orientation.ts'
import { checkDimensions, damaged, type Sanitised, unsupported } from './sanitised.ts'

/** More scans than any encoder writes; each one costs a pass over the whole picture. */
const maxScans = 200
/** Camera files have dozens, of a few kilobytes each; millions of empty ones are an attack on memory. */
const maxSegments = 10_000

/** Second bytes of markers (ITU-T T.81 table B.1). */
const marker = {
  dht: 0xc4,
  dac: 0xcc,
  soi: 0xd8,
  eoi: 0xd9,
  sos: 0xda,
  dqt: 0xdb,
  dri: 0xdd,
  app0: 0xe0,
  com: 0xfe,
}
const isFrame = (code: number) => code === 0xc0 || code === 0xc1 || code === 0xc2
/** Lossless, hierarchical and arithmetic JPEG, which browsers do not show. */
const isForeignFrame = (code: number) =>
  (code >= 0xc3 && code <= 0xcf && code !== marker.dht && code !== 0xc8) || code === 0xde || code === 0xdf
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7
const isApp = (code: number) => code >= marker.app0 && code <= 0xef

const exifName = Buffer.from('Exif\0\0', 'latin1')
const profileName = Buffer.from('ICC_PROFILE\0', 'latin1')
const adobeName = Buffer.from('Adobe', 'latin1')
/** The colour transform is the last of the segment's 12 bytes; what follows them is nobody's. */
const adobeBytes = 12

export const isJpeg = (bytes: Buffer): boolean =>
  bytes[0] === 0xff && bytes[1] === marker.soi && bytes[2] === 0xff

/**
 * @param bytes a whole file that `isJpeg`
 * @throws Failure storage_file_damaged, storage_image_too_large, storage_file_type_unsupported
 */
export function sanitiseJpeg(bytes: Buffer): Sanitised {
  const kept: Buffer[] = []
  const profile: Buffer[] = []
  let exif: Buffer | undefined
  let adobe: Buffer | undefined
  let frame: { width: number; height: number } | undefined
  let scans = 0
  let segments = 0

  for (let at = 2; ; ) {
    at = nextMarker(bytes, at)
    segments += 1
    if (segments > maxSegments) damaged('it has too many parts')
    const code = bytes[at + 1] as number
    if (code === marker.eoi) break
    if (isForeignFrame(code)) unsupported('This kind of JPEG is not supported.')
    const segment = segmentAt(bytes, at)
    const body = segment.subarray(4)
    at += segment.length

    if (isFrame(code)) {
      if (frame) damaged('it has two frames')
      frame = readFrame(body)
      kept.push(segment)
    } else if (code === marker.sos) {
      if (!frame) damaged('its pixels come before its size')
      scans += 1
      if (scans > maxScans) damaged('it has too many scans')
      const end = endOfScan(bytes, at)
      kept.push(segment, bytes.subarray(at, end))
      at = end
    } else if (code === marker.dqt || code === marker.dht || code === marker.dri) {
      kept.push(segment)
    } else if (code === 0xe1 && startsWith(body, exifName)) {
      exif ??= body.subarray(exifName.length)
    } else if (code === 0xe2 && startsWith(body, profileName)) {
      profile.push(segment)
    } else if (code === 0xee && startsWith(body, adobeName) && body.length >= adobeBytes) {
      adobe ??= body.subarray(0, adobeBytes)
    } else if (!isApp(code) && code !== marker.com && code !== 0xdc) {
      damaged('it has a part that no JPEG has')
    }
  }
  if (!frame || scans === 0) return damaged('it has no pixels')

  const orientation: Orientation = exif ? readOrientation(exif) : 1
  const head: Buffer[] = [bytes.subarray(0, 2)]
  if (orientation !== 1) head.push(segmentOf(0xe1, Buffer.concat([exifName, writeOrientation(orientation)])))
  if (isWholeProfile(profile)) head.push(...profile)
  if (adobe) head.push(segmentOf(0xee, adobe))
  return { mime: 'image/jpeg', ...frame, orientation, parts: [...head, ...kept, Buffer.of(0xff, marker.eoi)] }
}

/** Skips padding, and stray bytes between segments as decoders do. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    while (bytes[at + 1] === 0xff) at += 1
    if (at + 1 >= bytes.length) break
    if (bytes[at + 1] !== 0) return at
    at += 1
  }
  return damaged('its end is missing')
}

/** The marker, the two bytes of its length, and what they count. */
function segmentAt(bytes: Buffer, at: number): Buffer {
  const code = bytes[at + 1] as number
  if (code < 0xc0 || isRestart(code) || code === marker.soi) damaged('a marker is out of place')
  if (at + 4 > bytes.length) damaged('its end is missing')
  const end = at + 2 + bytes.readUInt16BE(at + 2)
  if (end < at + 4) damaged('a part has an impossible length')
  if (end > bytes.length) damaged('its end is missing')
  return bytes.subarray(at, end)
}

function readFrame(body: Buffer): { width: number; height: number } {
  const components = body[5] ?? 0
  if (body.length !== 6 + 3 * components || components < 1 || components > 4)
    damaged('its size is not readable')
  if (body[0] !== 8) unsupported('Only JPEG with 8 bits a colour is supported.')
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  checkDimensions(width, height)
  return { width, height }
}

/** Where the next marker stands: a 0xFF that is neither data (followed by 0) nor a restart. Padding is left out. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const start = at
    while (bytes[at + 1] === 0xff) at += 1
    const code = bytes[at + 1]
    if (code === undefined) break
    if (code !== 0 && !isRestart(code)) return start
  }
  return damaged('its end is missing')
}

function segmentOf(code: number, body: Buffer): Buffer {
  const segment = Buffer.alloc(4 + body.length)
  segment[0] = 0xff
  segment[1] = code
  segment.writeUInt16BE(2 + body.length, 2)
  body.copy(segment, 4)
  return segment
}

/** A profile travels in numbered pieces (ICC.1 §B.4); one that does not add up is dropped. */
function isWholeProfile(segments: Buffer[]): boolean {
  const [number, count, start] = [16, 17, 18]
  const inOrder = segments.every(
    (segment, index) => segment[number] === index + 1 && segment[count] === segments.length,
  )
  return (
    segments.length > 0 &&
    inOrder &&
    isColourProfile(Buffer.concat(segments.map((segment) => segment.subarray(start))))
  )
}

const startsWith = (body: Buffer, name: Buffer) => body.subarray(0, name.length).equals(name)
