/** A message around the words that were found in it: what stands before them, they, and what follows. */
export type SearchMatch = { before: string; found: string; after: string }

/** Characters before the words that are shown of a long message. */
const shownBefore = 40

const foldCharacter = (character: string) => character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Finds the words as the server does, without case and accents. Where they cannot be found so, the message begins. */
export function splitAtSearchMatch(text: string, term: string): SearchMatch {
  let folded = ''
  /** The place in the text of each folded character. */
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
