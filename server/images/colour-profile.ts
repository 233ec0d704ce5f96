/** ICC profiles: without them wide-gamut pictures change their colours, so a plausible one is kept (reading W-02). */

export const maxProfileBytes = 256 * 1024

/** ICC.1 §7.2: a header of 128 bytes that begins with the profile's size and says `acsp`. */
export function isColourProfile(bytes: Buffer): boolean {
  return (
    bytes.length >= 128 &&
    bytes.length <= maxProfileBytes &&
    bytes.readUInt32BE(0) === bytes.length &&
    bytes.toString('latin1', 36, 40) === 'acsp'
  )
}
