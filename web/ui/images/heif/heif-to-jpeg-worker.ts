/**
 * Only this worker's Content-Security-Policy allows WebAssembly. The worker ends after one photo, because WebAssembly
 * memory never shrinks.
 */
import createLibheif from 'libheif-js/libheif-wasm/libheif.js'
import wasmUrl from 'libheif-js/libheif-wasm/libheif.wasm?url'
import { orientationMatrixOf } from '../crop/exif-orientation.ts'
import { jpegQuality } from '../encode-canvas.ts'
import { type HeifAnswer, type HeifRequest, maxHeifPixels } from './heif-messages.ts'

type Picture = {
  get_width: () => number
  get_height: () => number
  is_primary: () => boolean
  display: (target: ImageData, done: (drawn: ImageData | null) => void) => void
}
/** The package's type definitions wrongly describe a module. */
const create = createLibheif as unknown as (options: { wasmBinary: ArrayBuffer }) => Promise<Libheif>
type Libheif = { HeifDecoder: new () => { decode: (bytes: Uint8Array) => Picture[] } }

self.onmessage = async ({ data }: MessageEvent<HeifRequest>) => self.postMessage(await answer(data))

async function answer(request: HeifRequest): Promise<HeifAnswer> {
  try {
    const binary = await (await fetch(wasmUrl)).arrayBuffer()
    const libheif = await create({ wasmBinary: binary })
    const pictures = new libheif.HeifDecoder().decode(request.bytes)
    const picture = pictures.find((one) => one.is_primary())
    if (!picture) return { refused: 'damaged' }
    const [width, height] = [picture.get_width(), picture.get_height()]
    if (width * height > maxHeifPixels) return { refused: 'too large' }
    const pixels = new ImageData(width, height, { colorSpace: request.colorSpace })
    const drawn = await new Promise<ImageData | null>((resolve) => picture.display(pixels, resolve))
    return drawn ? { jpeg: await encode(drawn, request) } : { refused: 'damaged' }
  } catch {
    return { refused: 'damaged' }
  }
}

async function encode(pixels: ImageData, { orientation, colorSpace }: HeifRequest): Promise<Blob> {
  const unrotated = new OffscreenCanvas(pixels.width, pixels.height)
  unrotated.getContext('2d', { colorSpace, alpha: false })?.putImageData(pixels, 0, 0)
  if (orientation === 1) return unrotated.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
  const isSideways = orientation >= 5
  const upright = new OffscreenCanvas(
    isSideways ? pixels.height : pixels.width,
    isSideways ? pixels.width : pixels.height,
  )
  const context = upright.getContext('2d', { colorSpace, alpha: false })
  context?.setTransform(...orientationMatrixOf(orientation, pixels))
  context?.drawImage(unrotated, 0, 0)
  return upright.convertToBlob({ type: 'image/jpeg', quality: jpegQuality })
}
