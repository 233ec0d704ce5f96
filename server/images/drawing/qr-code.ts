/** QR codes follow ISO/IEC 18004. If there is room, modules are whole pixels of equal size. */
import sharp, { type Sharp } from 'sharp'
import { encode } from 'uqr'

export type QrCodeOptions = {
  text: string
  /** The size in pixels per side. A code with more modules than pixels is drawn but unreadable. */
  size: number
  /** The minimum of blank modules. */
  margin: number
}

const white = '#ffffff'

export function drawQrCode({ text, size, margin }: QrCodeOptions): Sharp {
  const { data, size: modules } = encode(text, { ecc: 'M', border: 0 })
  const across = modules + 2 * margin
  const scale = Math.floor(size / across) || size / across
  const side = Math.max(1, Math.floor(modules * scale))
  const before = Math.floor((size - side) / 2)
  const after = size - side - before
  const shades = Uint8Array.from(data.flat(), (dark) => (dark ? 0 : 255))
  return sharp(shades, { raw: { width: modules, height: modules, channels: 1 } })
    .resize(side, side, { kernel: 'nearest' })
    .extend({ left: before, top: before, right: after, bottom: after, background: white })
    .toColourspace('b-w')
}
