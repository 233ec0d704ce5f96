/** Matching happens on the device, so the whole typed text never reaches the server. */
import { foldText } from './fold-text.ts'

const maxShown = 6
const minLetters = 2
/** At most this many letters are sent to the server, too few to reveal a location. */
const maxAskedLetters = 3

const asCompared = (place: string) => foldText(place.trim().replace(/\s+/gu, ' '))

/** Null if the text is too short. */
export function getPlaceLookupPrefix(typed: string): string | null {
  const letters = [...typed.trim()].slice(0, maxAskedLetters)
  return letters.length < minLetters ? null : letters.join('')
}

/** Omits a place that equals the text. */
export const matchPlaces = (typed: string, places: readonly string[]): string[] =>
  places
    .filter((place) => place !== typed.trim() && asCompared(place).startsWith(asCompared(typed)))
    .slice(0, maxShown)
