import { thumbHashToAverageRGBA, thumbHashToDataURL } from 'thumbhash'

/** Bytes of a ThumbHash's header; shorter ones decode to nonsense instead of failing. */
const shortest = 5

type Placeholder = { colour: string; picture: string }

/** Those made lately: coming back to a long list would else make them all again at once. */
const made = new Map<string, Placeholder | undefined>()
const kept = 500

/**
 * What stands in a picture's box until it arrives: its average colour and a blurred miniature.
 * Undefined for a hash that cannot be read, so that a damaged one costs the placeholder and not the page.
 *
 * @param thumbhash base64, as the server measured it at upload (reading W-01)
 */
export function placeholderOf(thumbhash: string): Placeholder | undefined {
  if (!made.has(thumbhash)) {
    if (made.size === kept) made.clear()
    made.set(thumbhash, decode(thumbhash))
  }
  return made.get(thumbhash)
}

function decode(thumbhash: string): Placeholder | undefined {
  try {
    const bytes = Uint8Array.from(atob(thumbhash), (char) => char.charCodeAt(0))
    if (bytes.length < shortest) return undefined
    const { r, g, b } = thumbHashToAverageRGBA(bytes)
    const [red, green, blue] = [r, g, b].map((part) => Math.round(part * 255))
    return { colour: `rgb(${red} ${green} ${blue})`, picture: thumbHashToDataURL(bytes) }
  } catch {
    return undefined
  }
}
