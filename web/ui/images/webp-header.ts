const word = (bytes: Uint8Array, at: number) => String.fromCharCode(...bytes.subarray(at, at + 4))

/** Whether a file starts with a WebP signature. @param start at least the first twelve bytes of the file */
export const isWebp = (start: Uint8Array): boolean => word(start, 0) === 'RIFF' && word(start, 8) === 'WEBP'

/** Reads the flags of an extended WebP (RFC 9649 §2.7). @param start at least the first 21 bytes of a WebP file */
export function readWebpFlags(start: Uint8Array): { isAnimated: boolean; hasProfile: boolean } {
  const flags = word(start, 12) === 'VP8X' ? (start[20] ?? 0) : 0
  return { isAnimated: (flags & 0x02) !== 0, hasProfile: (flags & 0x20) !== 0 }
}
