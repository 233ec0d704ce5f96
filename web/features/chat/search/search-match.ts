/** A match with its surrounding text. */
export type SearchMatch = { before: string; found: string; after: string }

/** Characters shown before a match. */
const shownBefore = 40

const foldCharacter = (character: string) => character.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

/** Finds a match as the server does, without case and accents; otherwise shows the message's start. */
export function splitAtSearchMatch(text: string, term: string): SearchMatch {
  let folded = ''
  /** Each folded character's index in the text. */
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
