import { expect, test } from 'vitest'
import { getPlaceLookupPrefix, matchPlaces } from './match-places.ts'

test('PLACE-05 of what she types three letters at most are looked up, and none of a single one', () => {
  expect(getPlaceLookupPrefix('')).toBeNull()
  expect(getPlaceLookupPrefix(' c ')).toBeNull()
  expect(getPlaceLookupPrefix('ca')).toBe('ca')
  expect(getPlaceLookupPrefix('  Calle Morelos 214')).toBe('Cal')
  expect(getPlaceLookupPrefix('🏖🏖🏖🏖')).toBe('🏖🏖🏖')
})

test('PLACE-05 at most six places that begin so are offered, case and accents aside, and not the one that stands there', () => {
  const places = ['Cadaqués', 'Cádiz', ...Array.from({ length: 8 }, (_, n) => `Cádiz ${n}`)]
  expect(matchPlaces('cádi', places)).toEqual(places.slice(1, 7))
  expect(matchPlaces('CADA', places)).toEqual(['Cadaqués'])
  expect(matchPlaces('Cadaqués ', places)).toEqual([])
  expect(matchPlaces('cadiz  7', places)).toEqual(['Cádiz 7'])
})
