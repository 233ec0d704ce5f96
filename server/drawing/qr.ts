/** QR codes (ISO/IEC 18004), drawn so that every module is the same whole number of pixels. */
import qrcode from 'qrcode'
import { encodePng } from './png.ts'

const black = { red: 0, green: 0, blue: 0, alpha: 255 }
const white = { red: 255, green: 255, blue: 255, alpha: 255 }

/**
 * @param size pixels on each side of the picture; a code that needs more modules than that is still drawn, but not
 * readable
 * @param margin modules left white on every side, at least
 * @returns a PNG
 */
export function drawQr(text: string, { size, margin }: { size: number; margin: number }): Promise<Buffer> {
  const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' })
  const across = modules.size + 2 * margin
  const scale = Math.floor(size / across) || size / across
  const before = Math.floor((size - modules.size * scale) / 2)
  const moduleAt = (pixel: number) => Math.floor((pixel - before) / scale)
  const pixels = new Uint8Array(size * size)
  const columns = Array.from({ length: size }, (_, x) => moduleAt(x))
  for (let y = 0; y < size; y += 1) {
    const row = moduleAt(y)
    if (row < 0 || row >= modules.size) continue
    // The pixels of a row of modules are all alike: the first is drawn, the others are copied from it.
    if (y > 0 && moduleAt(y - 1) === row) {
      pixels.copyWithin(y * size, (y - 1) * size, y * size)
      continue
    }
    columns.forEach((column, x) => {
      if (column >= 0 && column < modules.size && modules.get(row, column)) pixels[y * size + x] = 1
    })
  }
  return encodePng({ width: size, height: size, pixels }, [white, black])
}
