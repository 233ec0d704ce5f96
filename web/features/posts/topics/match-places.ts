/** Matches places on the device, so that typed text stays there. */
import { foldText } from './fold-text.ts'

const maxShown = 6
const minLetters = 2
/** The most letters sent to the server: too few to reveal a location. */
const maxAskedLetters = 3

const asCompared = (place: string) => foldText(place.trim().replace(/\s+/gu, ' '))

/** The prefix to look up; null if too short. */
export function getPlaceLookupPrefix(typed: string): string | null {
  const letters = [...typed.trim()].slice(0, maxAskedLetters)
  return letters.length < minLetters ? null : letters.join('')
}

/** Up to six places starting with the text, excluding an exact match. */
export const matchPlaces = (typed: string, places: readonly string[]): string[] =>
  places
    .filter((place) => place !== typed.trim() && asCompared(place).startsWith(asCompared(typed)))
    .slice(0, maxShown)
