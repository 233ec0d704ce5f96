/** Chooses among suggested places on the device, so that what is typed of a place stays there. */
import { foldText } from './fold-text.ts'

const maxShown = 6
const minLetters = 2
/** As many as the server is told of what is typed: too few to say where somebody is. */
const maxAskedLetters = 3

const asCompared = (place: string) => foldText(place.trim().replace(/\s+/gu, ' '))

/** Returns the first letters of what is typed, which are looked up; null while they are too few. */
export function getPlaceLookupPrefix(typed: string): string | null {
  const letters = [...typed.trim()].slice(0, maxAskedLetters)
  return letters.length < minLetters ? null : letters.join('')
}

/** Returns the places that begin with what is typed, six at most, without the one that it is already. */
export const matchPlaces = (typed: string, places: readonly string[]): string[] =>
  places
    .filter((place) => place !== typed.trim() && asCompared(place).startsWith(asCompared(typed)))
    .slice(0, maxShown)
