import { encodeCanvasAndRelease, getCanvasScale } from '../encode-canvas.ts'
import { splitColorProfile, withColorProfile } from '../jpeg-and-png-parts.ts'
import { type CropFrame, type Size, sizeAfterTurn } from './crop-frame.ts'
import { orientationMatrixOf, orientationOfTurn } from './exif-orientation.ts'

/**
 * Keeps the type and the colour profile, and removes all other metadata.
 * @throws DOMException for a photo that the browser cannot decode
 */
export async function renderCrop(source: File, frame: CropFrame): Promise<File> {
  const parts = splitColorProfile(new Uint8Array(await source.arrayBuffer()))
  const bitmap = await createImageBitmap(parts.pixels)
  const upright = sizeAfterTurn(bitmap, parts.orientation >= 5 ? 90 : 0)
  const turned = sizeAfterTurn(upright, frame.turn)
  const kept = keptPixels(frame, turned)
  const scale = getCanvasScale(kept)

  const canvas = document.createElement('canvas')
  canvas.width = Math.round(kept.width * scale)
  canvas.height = Math.round(kept.height * scale)
  const context = canvas.getContext('2d')
  if (!context) throw new DOMException('No canvas', 'NotSupportedError')
  context.scale(scale, scale)
  context.translate(-kept.x, -kept.y)
  context.transform(...orientationMatrixOf(orientationOfTurn[frame.turn], upright))
  context.transform(...orientationMatrixOf(parts.orientation, bitmap))
  context.drawImage(bitmap, 0, 0)
  bitmap.close()
  const encoded = await encodeCanvasAndRelease(canvas, parts.type)
  if (!encoded) throw new DOMException('Not encoded', 'EncodingError')
  return new File([await withColorProfile(encoded, parts)], source.name, { type: parts.type })
}

/** Returns pixels of the rotated photo, at least one in each direction. */
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
