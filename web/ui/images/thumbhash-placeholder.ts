import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** The size of a ThumbHash's header. Shorter hashes would decode to nonsense instead of failing. */
const minBytes = 5

type Placeholder = { color: string; picture: string }

/** Without this cache, returning to a long list would decode all its placeholders at once. */
const decoded = new Map<string, Placeholder | undefined>()
const maxDecoded = 500

/**
 * Undefined for a damaged hash.
 * @param thumbhash base64
 */
export function decodeThumbHashPlaceholder(thumbhash: string): Placeholder | undefined {
  if (!decoded.has(thumbhash)) {
    if (decoded.size === maxDecoded) decoded.clear()
    decoded.set(thumbhash, decode(thumbhash))
  }
  return decoded.get(thumbhash)
}

function decode(thumbhash: string): Placeholder | undefined {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0))
    if (bytes.length < minBytes) return undefined
    const { r, g, b } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [r, g, b].map((part) => Math.round(part * 255))
    return { color: `rgb(${red} ${green} ${blue})`, picture: thumbHashToDataURL(bytes) }
  } catch {
    return undefined
  }
}
