/** The preview must fit into a phone's memory. */
import { type Size, sizeAfterTurn, type Turn } from './crop-frame.ts'
import { orientationMatrixOf, orientationOfTurn } from './exif-orientation.ts'

/** The longer side in pixels, enough for a wide frame at double pixel density. */
const longestSide = 1600

export type PhotoPreview = {
  /** The size of the upright original. */
  size: Size
  canvas: HTMLCanvasElement
}

/** @throws DOMException for a file that the browser cannot decode */
export async function loadPhotoPreview(file: Blob): Promise<PhotoPreview> {
  const url = URL.createObjectURL(file)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const size = { width: image.naturalWidth, height: image.naturalHeight }
    const scale = longestSide / Math.max(size.width, size.height)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.round(size.width * scale))
    canvas.height = Math.max(1, Math.round(size.height * scale))
    const context = canvas.getContext('2d')
    if (!context) throw new DOMException('No canvas', 'NotSupportedError')
    context.imageSmoothingQuality = 'high'
    context.drawImage(image, 0, 0, canvas.width, canvas.height)
    return { size, canvas }
  } finally {
    URL.revokeObjectURL(url)
  }
}

export async function encodeTurnedPreview({ canvas }: PhotoPreview, turn: Turn): Promise<Blob> {
  const turned = document.createElement('canvas')
  Object.assign(turned, sizeAfterTurn(canvas, turn))
  const context = turned.getContext('2d')
  context?.setTransform(...orientationMatrixOf(orientationOfTurn[turn], canvas))
  context?.drawImage(canvas, 0, 0)
  const blob = await new Promise<Blob | null>((resolve) => turned.toBlob(resolve, 'image/webp', 0.9))
  if (!blob) throw new DOMException('Not encoded', 'EncodingError')
  return blob
}
