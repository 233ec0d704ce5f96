import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Bytes of a ThumbHash's header; shorter ones decode to nonsense instead of failing. */
const minBytes = 5

type Placeholder = { color: string; picture: string }

/** Recently decoded placeholders: coming back to a long list would decode all of them again at once. */
const decoded = new Map<string, Placeholder | undefined>()
const maxDecoded = 500

/**
 * Decodes a ThumbHash into the average colour and a blurred miniature, shown until the image has loaded. Undefined for
 * one that cannot be decoded, so that a damaged hash does not break the page.
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
