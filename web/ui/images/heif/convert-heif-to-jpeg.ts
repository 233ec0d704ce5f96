/** Converting on the device means that the server and other browsers need only JPEG and PNG. */

import pLimit from 'p-limit'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { en } from '#contract/language.ts'
import { encodeCanvasAndRelease, getCanvasScale } from '../encode-canvas.ts'
import { readExif } from '../exif.ts'
import { isRgbProfile, toJpegProfileSegments, withColorProfile } from '../jpeg-and-png-parts.ts'
import { damagedPhotoMessage, PhotoConversionError } from '../photo-conversion-error.ts'
import { convertHeifToJpegInWorker } from './convert-heif-to-jpeg-in-worker.ts'
import { type HeifContainer, readHeifContainer } from './heif-container.ts'

const tooLarge = en(
  'This photo is too large. Choose a smaller one.',
  'Esta foto es demasiado grande. Elige una más pequeña.',
)
const hdr = en(
  'This HDR photo would look grey here. Export it as JPEG and try again.',
  'Esta foto HDR se vería gris aquí. Expórtala como JPEG e inténtalo de nuevo.',
)

/** PQ and HLG, the transfer functions of high dynamic range (ITU-T H.273). */
const hdrTransfers = [16, 18]
const p3Primaries = 12

type ConvertedPhoto = { file: File; removed: RemovedMetadata[] }

/** Converts one photo at a time, because each needs hundreds of megabytes. */
const inTurn = pLimit(1)

export const convertHeifToJpeg = (file: File): Promise<ConvertedPhoto> => inTurn(() => convert(file))

async function convert(file: File): Promise<ConvertedPhoto> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const container = readContainer(bytes)
  const exif = container.exif && readExif(container.exif)
  const jpeg = (await encodeNatively(file, container)) ?? (await encodeByLibrary(bytes, container))
  const removed: RemovedMetadata[] = []
  if (exif?.hasPlace) removed.push('place')
  if (exif?.hasTime) removed.push('time')
  return { file: new File([jpeg], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: 'image/jpeg' }), removed }
}

function readContainer(bytes: Uint8Array<ArrayBuffer>): HeifContainer {
  try {
    return readHeifContainer(bytes)
  } catch {
    throw new PhotoConversionError(damagedPhotoMessage)
  }
}

/** Uses the browser's own decoder, which handles colours. Safari decodes HEIC, and every browser decodes AVIF. */
async function encodeNatively(file: File, container: HeifContainer): Promise<Blob | undefined> {
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return undefined
  const scale = getCanvasScale(bitmap)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  const colorSpace = isWide(container) ? 'display-p3' : 'srgb'
  const context = canvas.getContext('2d', { alpha: false, colorSpace })
  if (context) {
    // JPEG has no transparency, which an AVIF can have.
    context.fillStyle = '#fff'
    context.fillRect(0, 0, canvas.width, canvas.height)
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  }
  bitmap.close()
  const jpeg = await encodeCanvasAndRelease(canvas, 'image/jpeg')
  if (!jpeg) throw new PhotoConversionError(damagedPhotoMessage)
  return jpeg
}

/** Transparent colours are mixed with white in sRGB, as on a page. */
const isWide = ({ profile, primaries = 2, hasAlpha }: HeifContainer): boolean =>
  !hasAlpha && (profile !== undefined || (primaries !== 1 && primaries !== 2))

async function encodeByLibrary(bytes: Uint8Array<ArrayBuffer>, container: HeifContainer): Promise<Blob> {
  const { profile, primaries, transfer, isTurned, exif } = container
  if (transfer !== undefined && hdrTransfers.includes(transfer)) throw new PhotoConversionError(hdr)
  const answer = await convertHeifToJpegInWorker({
    bytes,
    orientation: exif && !isTurned ? readExif(exif).orientation : 1,
    colorSpace: !profile && primaries === p3Primaries ? 'display-p3' : 'srgb',
  })
  if ('refused' in answer)
    throw new PhotoConversionError(answer.refused === 'damaged' ? damagedPhotoMessage : tooLarge)
  if (!profile || !isRgbProfile(profile)) return answer.jpeg
  return withColorProfile(answer.jpeg, { type: 'image/jpeg', color: toJpegProfileSegments(profile) })
}
