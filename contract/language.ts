/**
 * UI texts are pairs, such as `en('Following', 'Siguiendo')`. The mixed set shows the first text: Spanish on
 * sign-in screens, English elsewhere. The build replaces every call and writes one folder per set
 * (scripts/languages/language-sets-plugin.ts, decision 0186).
 */
export const languages = ['es', 'en'] as const
export type Language = (typeof languages)[number]

export const languageSets = ['as-it-comes', ...languages] as const
export type LanguageSet = (typeof languageSets)[number]

/** Turns `assets/x.js` into `assets/es/x.js`. Styles and fonts are the same in all sets. */
export const fileInLanguageSet = (file: string, set: LanguageSet): string =>
  set === 'as-it-comes' ? file : file.replace(/^(\/?)assets\//, `$1assets/${set}/`)

/** Scripts may read this cookie. */
export const languageCookieName = 'juntas-language'

export const languageHeaderName = 'juntas-language'

export const isLanguageSet = (value: unknown): value is LanguageSet =>
  languageSets.includes(value as LanguageSet)

const saidTexts = new Map<string, { language: Language; other: string }>()

/** The mixed set shows the English text. */
export const en = <English, Spanish>(english: English, spanish: Spanish): English | Spanish =>
  say('en', english, spanish)

export const es = <Spanish, English>(spanish: Spanish, english: English): Spanish | English =>
  say('es', spanish, english)

function say<Text, Other>(language: Language, text: Text, other: Other): Text | Other {
  if (typeof text === 'string' && typeof other === 'string') saidTexts.set(text, { language, other })
  const set = getLanguageSet()
  return set === 'as-it-comes' || set === language ? text : other
}

/** Returns the mixed set if there is no page. */
export const getLanguageSet = (): LanguageSet => readChosenLanguageSet() ?? 'as-it-comes'

/** Reads the set chosen in this browser, or by the last signed-in member. */
export function readChosenLanguageSet(): LanguageSet | undefined {
  const { cookie = '' } = globalThis.document ?? {}
  const chosen = cookie.split('; ').find((pair) => pair.startsWith(`${languageCookieName}=`))
  const set = chosen?.slice(languageCookieName.length + 1)
  return isLanguageSet(set) ? set : undefined
}

/** Translates a known sentence. Other texts stay as they are. */
export function translateSentence(sentence: string, language: Language): string {
  const said = saidTexts.get(sentence)
  return said && said.language !== language ? said.other : sentence
}
