export type SearchMatch = { before: string; found: string; after: string }

const shownBefore = 40

const foldCharacter = (character: string) => character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Ignores case and accents, like the server. Without a match, returns the start of the message. */
export function splitAtSearchMatch(text: string, term: string): SearchMatch {
  let folded = ''
  /** Index in the original text for each folded character. */
  const places: number[] = []
  let at = 0
  for (const character of text) {
    for (const one of foldCharacter(character)) {
      folded += one
      for (let unit = 0; unit < one.length; unit += 1) places.push(at)
    }
    at += character.length
  }
  const wanted = [...term].map(foldCharacter).join('')
  const start = wanted === '' ? -1 : folded.indexOf(wanted)
  if (start < 0) return { before: text, found: '', after: '' }
  const first = places[start] ?? 0
  const end = places[start + wanted.length] ?? text.length
  const before = text.slice(0, first)
  return {
    before: before.length > shownBefore ? `…${before.slice(-shownBefore)}` : before,
    found: text.slice(first, end),
    after: text.slice(end),
  }
}
