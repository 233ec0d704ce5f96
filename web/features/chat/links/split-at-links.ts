import { LinkifyIt } from 'linkify-it'

const linkify = new LinkifyIt()
for (const schema of ['ftp:', 'mailto:', '//']) linkify.add(schema, null)

/** A URL ends before invisible characters and trailing colons, not at a joiner between letters or emoji. */
const end = /(?![\u200C\u200D][\p{L}\p{M}\p{S}])\p{Cf}|:*$/u

/** @returns alternating text and URLs, starting with text */
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
