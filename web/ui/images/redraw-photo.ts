import pLimit from 'p-limit'
import type { RemovedMetadata } from '#contract/files/files.ts'
import { en } from '#contract/language.ts'
import { uploadMaxPixels, uploadMaxSidePx } from '#contract/limits.ts'
import { formatNumber } from '#web/format-number.ts'
import { toast } from '#web/ui/toast/toast-store.ts'
import { encodeCanvasAndRelease, getCanvasScale } from './encode-canvas.ts'
import { isWebp, readWebpFlags } from './heif-and-webp-signatures.ts'
import { splitColorProfile } from './jpeg-and-png-parts.ts'
import { damagedPhotoMessage, PhotoConversionError } from './photo-conversion-error.ts'

type RedrawnPhoto = { file: File; removed: readonly RemovedMetadata[] }

/** Redraws one photo at a time, because each needs hundreds of megabytes. */
const inTurn = pLimit(1)

/**
 * A PNG stays a PNG; other photos become JPEG.
 * @throws PhotoConversionError
 */
export const redrawPhoto = (file: File): Promise<RedrawnPhoto> => inTurn(() => redraw(file))

async function redraw(file: File): Promise<RedrawnPhoto> {
  const { type, isWide, isAnimated, removed } = inspect(new Uint8Array(await file.arrayBuffer()))
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new PhotoConversionError(damagedPhotoMessage)
  })
  const { width, height } = bitmap
  const scale = Math.min(
    getCanvasScale(bitmap),
    uploadMaxSidePx / Math.max(width, height),
    Math.sqrt(uploadMaxPixels / (width * height)),
  )
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.floor(width * scale))
  canvas.height = Math.max(1, Math.floor(height * scale))
  const context = canvas.getContext('2d', { colorSpace: isWide ? 'display-p3' : 'srgb' })
  if (context) {
    context.imageSmoothingQuality = 'high'
    // JPEG has no transparency.
    if (type === 'image/jpeg') {
      context.fillStyle = '#fff'
      context.fillRect(0, 0, canvas.width, canvas.height)
    }
    context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  }
  bitmap.close()
  const blob = await encodeCanvasAndRelease(canvas, type)
  if (!blob) throw new PhotoConversionError(damagedPhotoMessage)
  if (isAnimated) toast({ text: firstFrameMessage })
  else if (scale < 1) toast({ text: madeSmallerMessage(width, height) })
  const extension = type === 'image/png' ? '.png' : '.jpg'
  return { file: new File([blob], file.name.replace(/(\.\w+)?$/, extension), { type }), removed }
}

const firstFrameMessage = en(
  'This image is animated. Only its first frame is used.',
  'Esta imagen es animada. Solo se usa su primer fotograma.',
)

const madeSmallerMessage = (width: number, height: number) => {
  const size = `${formatNumber(width)} × ${formatNumber(height)}`
  return en(
    `This photo has ${size} pixels, more than allowed. It was made smaller.`,
    `Esta foto tiene ${size} píxeles, más de los permitidos. Se ha reducido.`,
  )
}

function inspect(bytes: Uint8Array<ArrayBuffer>) {
  if (isWebp(bytes)) {
    const { isAnimated, hasProfile, hasAlpha } = readWebpFlags(bytes)
    // Transparent colours are mixed with white in sRGB, as on a page.
    return { type: 'image/jpeg', isWide: hasProfile && !hasAlpha, isAnimated, removed: [] } as const
  }
  const { type, color, removed } = splitColorProfile(bytes)
  return { type, isWide: color.length > 0, isAnimated: false, removed } as const
}
