import { encodeAndRelease, scaleToCanvas } from '../canvas-output.ts'
import { takePhotoApart, withColour } from '../photo-parts.ts'
import { type CropFrame, type Size, sizeAfter } from './crop-frame.ts'
import { matrixOf, orientationOfTurn } from './orientation.ts'

/**
 * Makes the file of what a frame keeps of a JPEG or PNG: of the same type, upright, with the photo's own colour profile and
 * nothing else that was in it.
 * @throws DOMException for a photo that the browser cannot decode
 */
export async function renderCrop(source: File, frame: CropFrame): Promise<File> {
  const parts = takePhotoApart(new Uint8Array(await source.arrayBuffer()))
  const bitmap = await createImageBitmap(parts.pixels)
  const upright = sizeAfter(bitmap, parts.orientation >= 5 ? 90 : 0)
  const turned = sizeAfter(upright, frame.turn)
  const kept = keptPixels(frame, turned)
  const scale = scaleToCanvas(kept)

  const canvas = document.createElement('canvas')
  canvas.width = Math.round(kept.width * scale)
  canvas.height = Math.round(kept.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new DOMException('No canvas', 'NotSupportedError')
  context.scale(scale, scale)
  context.translate(-kept.x, -kept.y)
  context.transform(...matrixOf(orientationOfTurn[frame.turn], upright))
  context.transform(...matrixOf(parts.orientation, bitmap))
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  const encoded = await encodeAndRelease(canvas, parts.type)
  if (!encoded) throw new DOMException('Not encoded', 'EncodingError')
  return new File([await withColour(encoded, parts)], source.name, { type: parts.type })
}

/** Whole pixels of the turned photo, at least one. */
function keptPixels(frame: CropFrame, { width, height }: Size) {
  const kept = {
    width: Math.min(width, Math.max(1, Math.round(frame.width * width))),
    height: Math.min(height, Math.max(1, Math.round(frame.height * height))),
  }
  return {
    ...kept,
    x: Math.max(0, Math.min(width - kept.width, Math.round(frame.x * width))),
    y: Math.max(0, Math.min(height - kept.height, Math.round(frame.y * height))),
  }
}
