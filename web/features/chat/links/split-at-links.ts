/** Finds http and https URLs by linkify-it's rules. */
import { LinkifyIt } from 'linkify-it'

const linkify = new LinkifyIt()
for (const schema of ['ftp:', 'mailto:', '//']) linkify.add(schema, null)

/**
 * Cuts a URL at an invisible character, except a joiner between letters or emoji, and at a trailing colon.
 */
const end = /(?![\u200C\u200D][\p{L}\p{M}\p{S}])\p{Cf}|:*$/u

/** @returns text parts, alternating with URLs */
export function splitAtLinks(text: string): string[] {
  const parts: string[] = []
  let done = 0
  for (const { index, raw } of linkify.match(text) ?? []) {
    const url = raw.slice(0, raw.search(end))
    if (!URL.canParse(url)) continue
    parts.push(text.slice(done, index), url)
    done = index + url.length
  }
  return [...parts, text.slice(done)]
}
