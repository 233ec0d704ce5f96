/** Draws QR codes (ISO/IEC 18004): each module a whole number of pixels, the same for all, where the size has room for that. */
import qrcode from 'qrcode'
import sharp, { type Sharp } from 'sharp'

export type QrCodeOptions = {
  text: string
  /** Pixels on each side; a code that needs more modules than that is still drawn, but not readable. */
  size: number
  /** Modules left white on every side, at least. */
  margin: number
}

const white = '#ffffff'

export function drawQrCode({ text, size, margin }: QrCodeOptions): Sharp {
  const { modules } = qrcode.create(text, { errorCorrectionLevel: 'M' })
  const across = modules.size + 2 * margin
  const scale = Math.floor(size / across) || size / across
  const side = Math.max(1, Math.floor(modules.size * scale))
  const before = Math.floor((size - side) / 2)
  const after = size - side - before
  const shades = Uint8Array.from(modules.data, (dark) => (dark ? 0 : 255))
  return sharp(shades, { raw: { width: modules.size, height: modules.size, channels: 1 } })
    .resize(side, side, { kernel: 'nearest' })
    .extend({ left: before, top: before, right: after, bottom: after, background: white })
    .toColourspace('b-w')
}
