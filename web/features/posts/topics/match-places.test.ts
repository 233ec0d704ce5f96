import { expect, test } from 'vitest'
import { getPlaceLookupPrefix, matchPlaces } from './match-places.ts'

test('PLACE-05 suggestions are looked up by the first two or three letters, and not by a single letter', () => {
  expect(getPlaceLookupPrefix('')).toBeNull()
  expect(getPlaceLookupPrefix(' c ')).toBeNull()
  expect(getPlaceLookupPrefix('ca')).toBe('ca')
  expect(getPlaceLookupPrefix('  Calle Morelos 214')).toBe('Cal')
  expect(getPlaceLookupPrefix('🏖🏖🏖🏖')).toBe('🏖🏖🏖')
})

test('PLACE-05 at most six places with the typed prefix are suggested, ignoring case and accents, except the exact match', () => {
  const places = ['Cadaqués', 'Cádiz', ...Array.from({ length: 8 }, (_, n) => `Cádiz ${n}`)]
  expect(matchPlaces('cádi', places)).toEqual(places.slice(1, 7))
  expect(matchPlaces('CADA', places)).toEqual(['Cadaqués'])
  expect(matchPlaces('Cadaqués ', places)).toEqual([])
  expect(matchPlaces('cadiz  7', places)).toEqual(['Cádiz 7'])
})
