export const maxIccProfileBytes = 256 * 1024

/**
 * Recognises a plausible ICC profile by its header (ICC.1 §7.2): 128 bytes that begin with the profile's size and contain
 * `acsp`. Profiles are kept, because wide-gamut images change their colours without.
 */
export function isIccColorProfile(bytes: Buffer): boolean {
  return (
    bytes.length >= 128 &&
    bytes.length <= maxIccProfileBytes &&
    bytes.readUInt32BE(0) === bytes.length &&
    bytes.toString('latin1', 36, 40) === 'acsp'
  )
}
