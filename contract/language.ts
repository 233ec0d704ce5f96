/**
 * Texts in both languages, beside each other: `en('Following', 'Siguiendo')`, `es('Entrar', 'Sign in')`. The function is named by
 * the language of the first argument, which is what the set "as it comes" shows: a mix, Spanish where one signs in and English
 * inside. The other two sets are all Spanish and all English. In the built web no call is left: each set has a folder of its own
 * with its texts (scripts/languages/language-sets-plugin.ts, decision 0186).
 */
export const languages = ['es', 'en'] as const
export type Language = (typeof languages)[number]

export const languageSets = ['as-it-comes', ...languages] as const
export type LanguageSet = (typeof languageSets)[number]

/** Names a built script as a set has it: `assets/x.js` is `assets/es/x.js` in Spanish. Takes addresses too; styles and fonts are in no set. */
export const fileInLanguageSet = (file: string, set: LanguageSet): string =>
  set === 'as-it-comes' ? file : file.replace(/^(\/?)assets\//, `$1assets/${set}/`)

/** Keeps the set that was chosen in a browser; scripts may read it. */
export const languageCookieName = 'juntas-language'

/** Names the language in which a client of ours wants to be refused. */
export const languageHeaderName = 'juntas-language'

export const isLanguageSet = (value: unknown): value is LanguageSet =>
  languageSets.includes(value as LanguageSet)

/** Sentences that were said here, by their first argument. */
const saidTexts = new Map<string, { language: Language; other: string }>()

/** Says an English text of the set "as it comes", with its Spanish. */
export const en = <English, Spanish>(english: English, spanish: Spanish): English | Spanish =>
  say('en', english, spanish)

/** Says a Spanish text of the set "as it comes", with its English. */
export const es = <Spanish, English>(spanish: Spanish, english: English): Spanish | English =>
  say('es', spanish, english)

function say<Text, Other>(language: Language, text: Text, other: Other): Text | Other {
  if (typeof text === 'string' && typeof other === 'string') saidTexts.set(text, { language, other })
  const set = getLanguageSet()
  return set === 'as-it-comes' || set === language ? text : other
}

/** The set that this page is in; "as it comes" where there is no page. Not built yet, a page is in the set that was chosen. */
export const getLanguageSet = (): LanguageSet => readChosenLanguageSet() ?? 'as-it-comes'

/** The set that was chosen in this browser, or by the member who signed in last. */
export function readChosenLanguageSet(): LanguageSet | undefined {
  const { cookie = '' } = globalThis.document ?? {}
  const chosen = cookie.split('; ').find((pair) => pair.startsWith(`${languageCookieName}=`))
  const set = chosen?.slice(languageCookieName.length + 1)
  return isLanguageSet(set) ? set : undefined
}

/** Translates a sentence that `en` or `es` said before; every other stays as it is. */
export function translateSentence(sentence: string, language: Language): string {
  const said = saidTexts.get(sentence)
  return said && said.language !== language ? said.other : sentence
}
