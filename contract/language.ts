/**
 * Texts with both languages side by side, such as `en('Following', 'Siguiendo')` and `es('Entrar', 'Sign in')`. The
 * function names the language of its first argument. The default set is mixed and shows the first argument: Spanish on
 * sign-in screens, English in the rest of the app. The other sets are all Spanish and all English. The build replaces
 * every call and writes one folder per set (scripts/languages/language-sets-plugin.ts, decision 0186).
 */
export const languages = ['es', 'en'] as const
export type Language = (typeof languages)[number]

export const languageSets = ['as-it-comes', ...languages] as const
export type LanguageSet = (typeof languageSets)[number]

/**
 * Returns the path of a built script in a set. For example, `assets/x.js` is `assets/es/x.js` in Spanish. Also accepts
 * URLs. Styles and fonts are the same in all sets.
 */
export const fileInLanguageSet = (file: string, set: LanguageSet): string =>
  set === 'as-it-comes' ? file : file.replace(/^(\/?)assets\//, `$1assets/${set}/`)

/** The cookie that stores the language chosen in this browser. Scripts may read it. */
export const languageCookieName = 'juntas-language'

/** The header that tells the server the language for error messages. */
export const languageHeaderName = 'juntas-language'

export const isLanguageSet = (value: unknown): value is LanguageSet =>
  languageSets.includes(value as LanguageSet)

/** The translated texts, keyed by their first argument. */
const saidTexts = new Map<string, { language: Language; other: string }>()

/** Returns a text that is English in the default set. */
export const en = <English, Spanish>(english: English, spanish: Spanish): English | Spanish =>
  say('en', english, spanish)

/** Returns a text that is Spanish in the default set. */
export const es = <Spanish, English>(spanish: Spanish, english: English): Spanish | English =>
  say('es', spanish, english)

function say<Text, Other>(language: Language, text: Text, other: Other): Text | Other {
  if (typeof text === 'string' && typeof other === 'string') saidTexts.set(text, { language, other })
  const set = getLanguageSet()
  return set === 'as-it-comes' || set === language ? text : other
}

/** Returns the set of this page, or the default set if there is no page. During development, it is the chosen set. */
export const getLanguageSet = (): LanguageSet => readChosenLanguageSet() ?? 'as-it-comes'

/** Returns the set that somebody chose in this browser, or that the last signed-in member chose. */
export function readChosenLanguageSet(): LanguageSet | undefined {
  const { cookie = '' } = globalThis.document ?? {}
  const chosen = cookie.split('; ').find((pair) => pair.startsWith(`${languageCookieName}=`))
  const set = chosen?.slice(languageCookieName.length + 1)
  return isLanguageSet(set) ? set : undefined
}

/** Translates a text that was passed to `en` or `es`. Other texts stay as they are. */
export function translateSentence(sentence: string, language: Language): string {
  const said = saidTexts.get(sentence)
  return said && said.language !== language ? said.other : sentence
}
