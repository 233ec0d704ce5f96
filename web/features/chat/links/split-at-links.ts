/** Finds the http and https URLs in a text, by the rules of linkify-it: a bracket counts if it closes one inside, punctuation ends a URL. */
import { LinkifyIt } from 'linkify-it'

const linkify = new LinkifyIt()
for (const schema of ['ftp:', 'mailto:', '//']) linkify.add(schema, null)

/**
 * Where a URL ends though linkify-it goes on: at an invisible character, except a joiner between letters or emoji, and at a colon
 * behind it.
 */
const end = /(?![\u200C\u200D][\p{L}\p{M}\p{S}])\p{Cf}|:*$/u

/** Splits a text at its URLs. @returns text parts, alternating with URLs */
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
