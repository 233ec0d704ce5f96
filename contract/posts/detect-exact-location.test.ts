import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { detectExactLocation } from './detect-exact-location.ts'

const broader = (location: string) => detectExactLocation(location)?.broader

/** Pairs of an exact location and the broader one that is suggested instead. */
const exact: [location: string, broader: string | null][] = [
  ['Calle Morelos 214, Tonalá, Jalisco', 'Tonalá, Jalisco'],
  ['calle morelos #214, tonalá', 'tonalá'],
  ['C/ Mayor 5, 2º B, 28013 Madrid', 'Madrid'],
  ['C/Mayor nº5, Madrid', 'Madrid'],
  ['Calle Mayor, 5, Madrid', 'Madrid'],
  ['Avda. de América 13, 4º izq, Madrid', 'Madrid'],
  ['Calle 5 de Mayo 12, Puebla', 'Puebla'],
  ['Av. 18 de Julio 1234, Montevideo', 'Montevideo'],
  ['Carrera 7 # 12-34, Bogotá', 'Bogotá'],
  ['Calle 13 #45-20, Apto 302, Bogotá', 'Bogotá'],
  ['Tonalá, Calle Morelos 214', 'Tonalá'],
  ['Calle Morelos 214', null],
  ['Nos vemos en la calle Morelos 214 de Tonalá', null],
  ['221B Baker Street, London', 'London'],
  ['10 Downing Street, London SW1A 2AA', 'London'],
  ['350 5th Ave, New York, NY 10118', 'New York, NY'],
  ['Baker Street, London NW1 6XE', 'London'],
  ['1600 Amphitheatre Parkway, Mountain View', 'Mountain View'],
  ['Rua Augusta 1200, São Paulo', 'São Paulo'],
  ['Rua Augusta, 1200, São Paulo, 01304-001', 'São Paulo'],
  ['Av. Paulista, 1578 , São Paulo', 'São Paulo'],
  ['Travessa do Carmo 11, Lisboa', 'Lisboa'],
  ['12 rue de la Paix, Paris', 'Paris'],
  ['12, rue de la Paix, 75002 Paris', 'Paris'],
  ['3 bis avenue Foch, Lyon', 'Lyon'],
  ['Calle Morelos, 45400 Tonalá', 'Tonalá'],
  ['Calle Morelos, C.P. 45400, Tonalá', 'Tonalá'],
  ['19.4326, -99.1332', null],
  ['Tonalá, 20.62445,-103.24213', 'Tonalá'],
  ['40,4168; -3,7038', null],
  ['19.43° N, 99.13° W, Ciudad de México', 'Ciudad de México'],
  ['40°25′00″N 3°42′13″O, Madrid', 'Madrid'],
  ['geo:40.4,-3.7', null],
  ['8FVC9G8F+6X', null],
  ['9g8f+6x, Zürich', 'Zürich'],
  ['https://maps.app.goo.gl/AbCd123', null],
  ['https://www.google.com/maps/@40.4168,-3.7038,17z Madrid', 'Madrid'],
  ['openstreetmap.org/#map=19/40.4168/-3.7038, Madrid', 'Madrid'],
  ['///filled.count.soap', null],
  ['Mi casa', null],
  ['en mi casa, Tonalá', 'Tonalá'],
  ['My home', null],
  ['At my home!, London', 'London'],
  ['Minha casa, Porto', 'Porto'],
  ['Chez moi', null],
]

const notExact = [
  'Madrid',
  'Vejer de la Frontera',
  'Calle 13',
  'Calle 13, Bogotá',
  'Ruta 66',
  '5ª Avenida',
  '5th Avenue, New York',
  'Avenida 9 de Julio, Buenos Aires',
  'Plaza 2 de Mayo, Madrid',
  'Rua 25 de Março, São Paulo',
  'Rue du 4 Septembre, Paris',
  'Place du 8 mai 1945, Lyon',
  'Calle Mayor, Madrid',
  'Plaza de España, Sevilla',
  'Ronda',
  'Camino de Santiago',
  'Baker Street, London',
  '28013 Madrid',
  'Tonalá, Jalisco',
  '3 amigas en la plaza',
  'La Casa Azul, Coyoacán',
  'Piso 5, Torre Latinoamericana',
  'Festival 2024, Guadalajara',
  'Parque México',
  'Café 12.50, 13.50',
  'St. Ives, Cornwall',
  'Km 0',
  'Nuestra Señora de la O',
  'C++ meetup, Berlín',
  '',
  ' , ;\n',
]

describe('exact locations', () => {
  for (const [location, rest] of exact)
    test(`AUD-09 AUD-10 '${location}' triggers a warning that suggests ${rest === null ? 'nothing' : `'${rest}'`}`, () => {
      expect(broader(location)).toBe(rest)
    })

  for (const location of notExact)
    test(`AUD-10 '${location}' triggers no warning`, () => expect(detectExactLocation(location)).toBeNull())
})

/** Fragments from which almost matching texts are generated. */
const pieces = fc.constantFrom(
  ...'calle,c/,av.,rua,rue,12,214,bis,#,nº,28013,sw1a,2aa,de,mayo,mai,1945,street,19.4326,-99.1332,40°,25′,n,w'.split(
    ',',
  ),
  ...[
    ',',
    ';',
    ' ',
    '\n',
    '+',
    '8fvc',
    '9g8f+6x',
    'https://maps.google.com/',
    '///',
    'mi casa',
    'ñ',
    'é',
    '𝒜',
    '1º',
    '-',
    '.',
  ],
)
const texts = fc.oneof(
  fc.array(pieces, { maxLength: 60 }).map((list) => list.join('')),
  fc.string({ unit: 'binary' }),
)

describe('any location text', () => {
  test('AUD-11 any text is checked without an error, and the suggestion is a part of the text that triggers no warning', () => {
    fc.assert(
      fc.property(texts, (location) => {
        const found = detectExactLocation(location)
        if (!found?.broader) return
        expect(detectExactLocation(found.broader)).toBeNull()
        let at = 0
        for (const letter of found.broader.replace(/[\s,]/g, '')) {
          at = location.indexOf(letter, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
      { numRuns: 3000 },
    )
  })

  // If the time grew faster than the text's length, the test would exceed its time limit.
  for (const piece of [
    '1',
    '12 ',
    '12,',
    'calle 1 ',
    '1.1',
    '1.111 ',
    '1.1111111,',
    '40°',
    "40° 25' ",
    '8f',
    '8fvc+',
    '/',
    '///a.',
    ' ',
    '\n',
    'c/',
    'é',
    'mi cas',
    'geo:',
    '#',
  ])
    test(`AUD-11 checking 200,000 characters of '${piece}' takes linear time`, () => {
      detectExactLocation(piece.repeat(Math.ceil(200_000 / piece.length)))
    })
})
