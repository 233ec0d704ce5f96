const word = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

const heifBrands = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'mif2', 'msf1', 'avif', 'avis']

/** HEIC, HEIF and AVIF. @param start at least the first twelve bytes */
export const isHeif = (start: Uint8Array): boolean =>
  word(start, 4) === 'ftyp' && heifBrands.includes(word(start, 8))

/** @param start at least the first twelve bytes */
export const isWebp = (start: Uint8Array): boolean => word(start, 0) === 'RIFF' && word(start, 8) === 'WEBP'

/** The flags of an extended WebP (RFC 9649 §2.7). @param start at least the first 21 bytes */
export function readWebpFlags(start: Uint8Array) {
  const flags = word(start, 12) === 'VP8X' ? (start[20] ?? 0) : 0
  return {
    isAnimated: (flags & 0x02) !== 0,
    hasAlpha: (flags & 0x10) !== 0,
    hasProfile: (flags & 0x20) !== 0,
  }
}
