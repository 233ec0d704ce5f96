/**
 * Detects text that reveals a street address. It only gives advice, and the text never leaves the device.
 * Bounded patterns keep the time linear.
 */

export type ExactLocation = {
  /** The location without its exact parts, such as 'Tonalá, Jalisco'. Null if nothing remains. */
  broader: string | null
}

export function detectExactLocation(location: string): ExactLocation | null {
  const marked = removeMarks(location)
  const parts = marked.text.split(/[,;\n]/).map(readPart)
  const exactParts = findAddressParts(parts)
  if (!marked.found && exactParts.size === 0) return null
  const broader = parts
    .filter((part, index) => !exactParts.has(index) && !isUnit(part))
    .map(({ text }) => removePostcode(text))
    .filter((text) => /\p{L}{2}/u.test(text))
    .join(', ')
  const isBroader = broader !== '' && !removeMarks(broader).found && !hasAddress(broader)
  return { broader: isBroader ? broader : null }
}

const hasAddress = (text: string) => findAddressParts(text.split(/[,;\n]/).map(readPart)).size > 0

/** Removes exact parts that may contain commas. This must come before splitting. */
function removeMarks(text: string): { text: string; found: boolean } {
  const withoutLinks = text
    .split(/(\s)/)
    .map((word) => (isMapLink(word) ? '' : word))
    .join('')
  const rest = marks.reduce((left, mark) => left.replace(mark, ' '), withoutLinks)
  return { text: rest, found: rest !== text }
}

const mapSites = [
  'maps.google.',
  'maps.app.goo.gl',
  'goo.gl/maps',
  'g.co/maps',
  'maps.apple.',
  'openstreetmap.org',
  'osm.org',
  'osm.to',
  'waze.com',
  'bing.com/maps',
  'here.com',
  'mapy.cz',
  'mapy.com',
  'what3words.com',
  'w3w.co',
  'organicmaps.app',
]
const isMapLink = (word: string): boolean => {
  const link = word.toLowerCase()
  return (
    link.startsWith('geo:') ||
    mapSites.some((site) => link.includes(site)) ||
    (link.includes('/maps') && /google\.[a-z]{2,3}/.test(link)) ||
    (link.includes('/maps') && /yandex\.[a-z]{2,3}/.test(link))
  )
}

const marks = [
  // Coordinates with three decimals are exact to a hundred metres. With decimal commas, a semicolon or blank
  // must separate the numbers.
  /(?<![\d.,])[-+−]?\d{1,3}\.\d{3,20}\s{0,3}°?\s{0,3}[NS]?\s{0,3}[,;/\s]\s{0,3}[-+−]?\d{1,3}\.\d{3,20}\s{0,3}°?\s{0,3}[EWO]?(?!\p{L})/giu,
  /(?<![\d.,])[-+−]?\d{1,3},\d{3,20}\s{0,3}[;/\s]\s{0,3}[-+−]?\d{1,3},\d{3,20}(?!\p{L})/gu,
  // Matches degrees such as 19.43° N and 40° 25′ 0″ N.
  /\d{1,3}[.,]\d{2,20}\s{0,2}[°º]\s{0,2}[NSEWO](?!\p{L})/giu,
  /\d{1,3}\s{0,2}[°º]\s{0,2}\d{1,2}(?:[.,]\d{1,6})?\s{0,2}['′’´](?:\s{0,2}\d{1,2}(?:[.,]\d{1,6})?\s{0,2}(?:["″”]|''|′′|’’))?\s{0,2}(?:[NSEWO](?!\p{L}))?/giu,
  // Matches an Open Location Code: four, six or eight of its twenty characters, a plus sign, and two or three
  // more.
  /(?<![\p{L}\d])(?:[23456789CFGHJMPQRVWX]{2}){2,4}\+[23456789CFGHJMPQRVWX]{2,3}(?![\p{L}\d])/giu,
  // Matches a what3words address.
  /\/{3}\p{L}{2,30}\.\p{L}{2,30}\.\p{L}{2,30}/gu,
]

type Part = { text: string; words: string[] }

/** `words` are lower case, without accents or final dots. */
function readPart(written: string): Part {
  const text = written.trim().replace(/\s+/g, ' ')
  const folded = text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    // Separates 'C/ Mayor', 'C/Mayor', '# 12-34' and 'nº5'.
    .replace(/(?<=(?:^| )c)\//g, '/ ')
    .replace(/#|n[º°] ?/g, ' #')
  const words = folded.split(' ').map((word) => (word === 'c.' ? 'c/' : word.replace(/[.:]$/, '')))
  return { text, words: words.filter((word) => word !== '' && word !== '#') }
}

/** Includes a street's postcode. */
function findAddressParts(parts: readonly Part[]): Set<number> {
  const found = new Set<number>()
  const hasPostcode = parts.some(({ words }) => findPostcode(words) !== null)
  parts.forEach((part, index) => {
    const next = parts[index + 1]
    if (isHome(part.words) || hasHouseNumber(part.words)) found.add(index)
    else if (isBareStreet(part.words)) {
      // Matches 'Rua Augusta, 1200' and '12, rue de la Paix'.
      const previous = parts[index - 1]
      if (next && isNumberAlone(next.words)) found.add(index).add(index + 1)
      else if (previous && isNumberAlone(previous.words)) found.add(index).add(index - 1)
      else if (hasPostcode) found.add(index)
    }
  })
  return found
}

const wordsOf = (text: string) => new Set(text.split(' '))

const streetsInFront = wordsOf(
  'calle c/ cl cll avenida avenue av avda avd ave paseo pso plaza pza plza placa praca camino carretera ctra carrera cra kra ' +
    'diagonal transversal travesia travessa ronda callejon calzada calz bulevar boulevard blvd bd prolongacion privada cerrada ' +
    'andador circuito glorieta pasaje pje jiron jr cuesta costanilla rambla passeig carrer rua largo alameda estrada beco ' +
    'rodovia ladeira rue allee allees chemin impasse quai route cours passage place square faubourg',
)
const streetsBehind = wordsOf(
  'street st road rd avenue ave lane ln drive dr court ct place pl square sq terrace crescent close way boulevard blvd highway ' +
    'hwy parkway pkwy row mews gardens grove walk quay circle trail alley',
)
const months = wordsOf(
  'enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre diciembre ' +
    'janeiro fevereiro marco maio junho julho setembro outubro novembro dezembro ' +
    'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
)
const frenchMonths = wordsOf(
  'janvier fevrier mars avril mai juin juillet aout septembre octobre novembre decembre',
)
const linkWords = wordsOf('de del la las los el do da dos das du des en of the in at on and y e et')
const units = wordsOf(
  'piso planta puerta pta portal escalera esc bloque depto dpto departamento apto apartamento apt apartment appartement flat ' +
    'unit suite floor interior int exterior bajo atico andar bloco etage batiment lote lt manzana mz casa',
)

const isNumber = (word: string | undefined): boolean =>
  word !== undefined && /^#?\d{1,5}(?:[a-z]|bis|ter)?(?:[-/]\d{1,5}[a-z]?)?$/.test(word)
const isNumberAlone = (words: readonly string[]): boolean =>
  isNumber(words[0]) &&
  (words.length === 1 || (words.length === 2 && /^(?:[a-z]|bis|ter)$/.test(words[1] as string)))

/** 'Calle 13' is a street without a house number. */
function isBareStreet(words: readonly string[]): boolean {
  if (words.length < 2 || isNumber(words[0])) return false
  return streetsInFront.has(words[0] as string) || streetsBehind.has(words.at(-1) as string)
}

function hasHouseNumber(words: readonly string[]): boolean {
  return hasNumberInFront(words) || hasNumberBehind(words)
}

/** Matches '12 rue de la Paix', '3 bis avenue Foch' and '221b Baker Street'. */
function hasNumberInFront(words: readonly string[]): boolean {
  if (!isNumber(words[0])) return false
  const name = /^(?:bis|ter)$/.test(words[1] ?? '') ? 2 : 1
  if (streetsInFront.has(words[name] ?? '')) return words.length > name + 1 && !isNumber(words[name + 1])
  const end = words.findIndex((word, index) => index > name && index < name + 6 && streetsBehind.has(word))
  return end !== -1 && !words.slice(name, end).some((word) => linkWords.has(word))
}

/**
 * Matches 'Calle Morelos 214' and 'Carrera 7 # 12-34', but not 'Calle 13', 'Avenida 9 de Julio' or 'Place du 8 mai
 * 1945'.
 */
function hasNumberBehind(words: readonly string[]): boolean {
  const street = words.findIndex((word) => streetsInFront.has(word))
  if (street === -1) return false
  return words.some((word, index) => {
    if (index < street + 2 || !isNumber(word)) return false
    const before = words[index - 1] as string
    const after = words[index + 1] ?? ''
    const namesADay = months.has(after) || (/^d[eo]$/.test(after) && months.has(words[index + 2] ?? ''))
    const namesAYear = frenchMonths.has(before) && /^1[5-9]\d\d$|^20\d\d$/.test(word)
    return !namesADay && !namesAYear && !linkWords.has(before)
  })
}

/**
 * Knows the postcodes of Spain, Mexico, France, the United States, Brazil, Portugal, the United Kingdom and
 * Canada.
 */
function findPostcode(words: readonly string[]): { from: number; length: number } | null {
  const one = words.findIndex((word) => /^(?:\d{5}(?:-\d{3,4})?|\d{4}-\d{3})$/.test(word))
  if (one !== -1) return { from: one, length: 1 }
  const two = words.findIndex(
    (word, index) =>
      /^[a-z]{1,2}\d[a-z\d]?$/.test(word) && /^\d[a-z](?:[a-z]|\d)$/.test(words[index + 1] ?? ''),
  )
  return two === -1 ? null : { from: two, length: 2 }
}

function removePostcode(text: string): string {
  const words = text.split(' ')
  const code = findPostcode(words.map((word) => word.toLowerCase()))
  if (code) words.splice(code.from, code.length)
  return words
    .join(' ')
    .replace(/^c\. ?p\.?(?= |$)|^cp(?= |$)/i, '')
    .trim()
}

const isUnit = ({ words }: Part): boolean =>
  words.length <= 4 &&
  (/^\d{1,2}[ºªo°]/.test(words[0] ?? '') || (units.has(words[0] ?? '') && words.length > 1))

const homes = [
  'mi casa',
  'mi piso',
  'mi depa',
  'mi departamento',
  'mi apartamento',
  'mi hogar',
  'mi cuarto',
  'nuestra casa',
  'nuestro piso',
  'my home',
  'my house',
  'my place',
  'my flat',
  'my apartment',
  'our home',
  'our house',
  'minha casa',
  'meu apartamento',
  'nossa casa',
  'chez moi',
  'chez nous',
  'ma maison',
  'notre maison',
  'mon appartement',
].map((phrase) => ` ${phrase} `)
const isHome = (words: readonly string[]): boolean => {
  const said = ` ${words.join(' ')} `.replace(/[^\p{L}\d ]/gu, '')
  return homes.some((home) => said.includes(home))
}
