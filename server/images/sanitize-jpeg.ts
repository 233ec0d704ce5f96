/** JPEG files are sanitised in one pass, before any decoder sees them. */

import { type ExifOrientation, readExifOrientation, writeExifOrientation } from './exif-orientation.ts'
import { readIccProfile } from './icc-profile.ts'
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

/** Each scan is a pass over the whole image in decoders. */
const maxScans = 200
/** Millions of empty segments would exhaust memory. Camera files have dozens of segments. */
const maxSegments = 10_000

/** ITU-T T.81 table B.1. */
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
export const progressiveJpegFrameMarker = 0xc2
export const isJpegFrameMarker = (code: number): boolean =>
  code === 0xc0 || code === 0xc1 || code === progressiveJpegFrameMarker
/** Browsers cannot show lossless, hierarchical or arithmetic JPEG. */
const isForeignFrame = (code: number) =>
  (code >= 0xc3 && code <= 0xcf && code !== marker.dht && code !== 0xc8) || code === 0xde || code === 0xdf
const isRestart = (code: number) => code >= 0xd0 && code <= 0xd7
const isApp = (code: number) => code >= marker.app0 && code <= 0xef

const exifName = Buffer.from('Exif\0\0', 'latin1')
const profileName = Buffer.from('ICC_PROFILE\0', 'latin1')
const adobeName = Buffer.from('Adobe', 'latin1')
/** The extended XMP segment is for data that exceeds one segment. */
const xmpNames = ['http://ns.adobe.com/xap/1.0/\0', 'http://ns.adobe.com/xmp/extension/\0'].map((name) =>
  Buffer.from(name, 'latin1'),
)
const photoshopName = Buffer.from('Photoshop 3.0\0', 'latin1')
const jfifName = Buffer.from('JFIF\0', 'latin1')
const extensionName = Buffer.from('JFXX\0', 'latin1')
/** This segment contains smaller copies that phones write (CIPA DC-007). */
const previewsName = Buffer.from('MPF\0', 'latin1')
/** The last of these bytes is the colour transform. Further bytes are dropped. */
const adobeBytes = 12
const jfifBytes = 14
/** Version 1.1, square pixels, no thumbnail (ITU-T T.871 §10.1). */
const plainJfif = Buffer.concat([jfifName, Buffer.of(1, 1, 0, 0, 1, 0, 1, 0, 0)])

export const isJpeg = (bytes: Buffer): boolean =>
  bytes[0] === 0xff && bytes[1] === marker.soi && bytes[2] === 0xff

/**
 * @param bytes a whole file for which `isJpeg` is true
 * @throws Failure as `sanitizeImage`
 */
export function sanitizeJpeg(bytes: Buffer): SanitizedImage {
  const kept: Buffer[] = []
  const profile: Buffer[] = []
  const removed = createRemovedMetadataCollector()
  let exif: Buffer | undefined
  let adobe: Buffer | undefined
  let jfif = false
  let frame: { width: number; height: number } | undefined
  let scans = 0
  let segments = 0

  for (let at = 2; ; ) {
    at = nextMarker(bytes, at)
    segments += 1
    if (segments > maxSegments) throwDamagedImageFailure('it has too many parts')
    const code = bytes[at + 1] as number
    if (code === marker.eoi) break
    if (isForeignFrame(code)) throwUnsupportedImageFailure('This kind of JPEG is not supported.')
    const segment = segmentAt(bytes, at)
    const body = segment.subarray(4)
    at += segment.length

    if (isJpegFrameMarker(code)) {
      if (frame) throwDamagedImageFailure('it has two frames')
      frame = readFrame(body)
      kept.push(segment)
    } else if (code === marker.sos) {
      if (!frame) throwDamagedImageFailure('its pixels come before its size')
      scans += 1
      if (scans > maxScans) throwDamagedImageFailure('it has too many scans')
      const end = endOfScan(bytes, at)
      kept.push(segment, bytes.subarray(at, end))
      at = end
    } else if (code === marker.dqt || code === marker.dht || code === marker.dri) {
      kept.push(segment)
    } else if (code === 0xe1 && startsWith(body, exifName)) {
      exif ??= body.subarray(exifName.length)
      removed.addExif(body.subarray(exifName.length))
    } else if (code === 0xe2 && startsWith(body, profileName)) {
      profile.push(segment)
    } else if (code === 0xee && startsWith(body, adobeName) && body.length >= adobeBytes) {
      if (scans === 0) adobe = body.subarray(0, adobeBytes)
    } else if (isApp(code) || code === marker.com) {
      if (scans === 0) jfif ||= code === marker.app0 && startsWith(body, jfifName) && body.length >= jfifBytes
      noteDropped(removed, code, body)
    } else if (code !== 0xdc) {
      throwDamagedImageFailure('it has a part that no JPEG has')
    }
  }
  if (!frame || scans === 0) return throwDamagedImageFailure('it has no pixels')

  const orientation: ExifOrientation = exif ? readExifOrientation(exif) : 1
  const head: Buffer[] = [bytes.subarray(0, 2)]
  // For three components, decoders prefer JFIF to Adobe's segment. For four, only Adobe's counts.
  if (jfif) head.push(segmentOf(marker.app0, plainJfif))
  if (orientation !== 1)
    head.push(segmentOf(0xe1, Buffer.concat([exifName, writeExifOrientation(orientation)])))
  head.push(...joinProfile(profile))
  if (adobe) head.push(segmentOf(0xee, adobe))
  const parts = [...head, ...kept, Buffer.of(0xff, marker.eoi)]
  return { mime: 'image/jpeg', ...frame, orientation, parts, removed: removed.list() }
}

function noteDropped(removed: RemovedMetadataCollector, code: number, body: Buffer): void {
  const xmp = xmpNames.find((name) => startsWith(body, name))
  if (code === marker.com) removed.addComment(body)
  else if (code === 0xe1 && xmp) removed.addXmp(body.subarray(xmp.length))
  else if (code === 0xed && startsWith(body, photoshopName))
    removed.addPhotoshopResources(body.subarray(photoshopName.length))
  else if (code === 0xe2 && startsWith(body, previewsName)) removed.add('thumbnail')
  else if (code === marker.app0 && isThumbnail(body)) removed.add('thumbnail')
}

/** The thumbnail's size comes last (ITU-T T.871 §10.1). */
const isThumbnail = (body: Buffer) =>
  startsWith(body, extensionName) || (startsWith(body, jfifName) && (body[12] ?? 0) * (body[13] ?? 0) > 0)

/** Skips padding and stray bytes, as decoders do. */
function nextMarker(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1; at = bytes.indexOf(0xff, at)) {
    while (bytes[at + 1] === 0xff) at += 1
    if (at + 1 >= bytes.length) break
    if (bytes[at + 1] !== 0) return at
    at += 1
  }
  return throwDamagedImageFailure('its end is missing')
}

function segmentAt(bytes: Buffer, at: number): Buffer {
  const code = bytes[at + 1] as number
  if (code < 0xc0 || isRestart(code) || code === marker.soi)
    throwDamagedImageFailure('a marker is out of place')
  if (at + 4 > bytes.length) throwDamagedImageFailure('its end is missing')
  const end = at + 2 + bytes.readUInt16BE(at + 2)
  if (end < at + 4) throwDamagedImageFailure('a part has an impossible length')
  if (end > bytes.length) throwDamagedImageFailure('its end is missing')
  return bytes.subarray(at, end)
}

function readFrame(body: Buffer): { width: number; height: number } {
  const components = body[5] ?? 0
  if (body.length !== 6 + 3 * components || components < 1 || components > 4)
    throwDamagedImageFailure('its size is not readable')
  if (body[0] !== 8) throwUnsupportedImageFailure('Only JPEG with 8 bits a colour is supported.')
  const [height, width] = [body.readUInt16BE(1), body.readUInt16BE(3)]
  assertImageDimensionsAllowed(width, height)
  return { width, height }
}

/** A scan ends at a 0xFF that is followed neither by 0, which means data, nor by a restart marker. */
function endOfScan(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at += 1) {
    if (bytes[at] !== 0xff) continue
    const start = at
    while (bytes[at + 1] === 0xff) at += 1
    const code = bytes[at + 1]
    if (code === undefined) break
    if (code !== 0 && !isRestart(code)) return start
  }
  return throwDamagedImageFailure('its end is missing')
}

function segmentOf(code: number, body: Buffer): Buffer {
  const segment = Buffer.alloc(4 + body.length)
  segment[0] = 0xff
  segment[1] = code
  segment.writeUInt16BE(2 + body.length, 2)
  body.copy(segment, 4)
  return segment
}

/** Accepts numbered parts in any order (ICC.1 §B.4). Empty if parts are missing or implausible. */
function joinProfile(segments: Buffer[]): Buffer[] {
  const [number, count, start] = [16, 17, 18]
  const parts = segments.toSorted((one, other) => (one[number] ?? 0) - (other[number] ?? 0))
  const isComplete = parts.every(
    (segment, index) => segment[number] === index + 1 && segment[count] === parts.length,
  )
  const profile = isComplete && readIccProfile(Buffer.concat(parts.map((segment) => segment.subarray(start))))
  if (!profile) return []
  const most = 0xffff - 2 - profileName.length - 2
  const total = Math.ceil(profile.length / most)
  return Array.from({ length: total }, (_, index) =>
    segmentOf(
      0xe2,
      Buffer.concat([
        profileName,
        Buffer.of(index + 1, total),
        profile.subarray(index * most, (index + 1) * most),
      ]),
    ),
  )
}

const startsWith = (body: Buffer, name: Buffer) => body.subarray(0, name.length).equals(name)
