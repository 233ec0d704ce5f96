/**
 * UI texts are pairs, such as `en('Following', 'Siguiendo')`. The mixed set shows the first text: Spanish on
 * sign-in screens, English elsewhere. Other languages have a catalogue in contract/texts (decision 0242). The build
 * replaces every call and writes one folder per set (scripts/languages/language-sets-plugin.ts, decision 0186).
 */
export const sourceLanguages = ['es', 'en'] as const
export type SourceLanguage = (typeof sourceLanguages)[number]

export const languages = [...sourceLanguages, 'pt'] as const
export type Language = (typeof languages)[number]
export type TranslatedLanguage = Exclude<Language, SourceLanguage>

/** Texts that a catalogue lacks are shown in the language `fallback`. */
export const translatedLanguages: Record<TranslatedLanguage, { fallback: SourceLanguage }> = {
  pt: { fallback: 'es' },
}

/** Each language's name for itself. */
export const languageNames: Record<Language, string> = {
  es: 'Español',
  en: 'English',
  pt: 'Português (tradução automática)',
}

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

export const isTranslatedLanguage = (value: string): value is TranslatedLanguage =>
  value in translatedLanguages

type Translations<Text> = Partial<Record<TranslatedLanguage, Text>>

const saidTexts = new Map<string, { language: SourceLanguage; other: string }>()

/** The mixed set shows the English text. `translateTextsPlugin` adds the translations. */
export const en = <English, Spanish>(
  english: English,
  spanish: Spanish,
  translations?: Translations<English | Spanish>,
): English | Spanish => say('en', english, spanish, translations)

export const es = <Spanish, English>(
  spanish: Spanish,
  english: English,
  translations?: Translations<Spanish | English>,
): Spanish | English => say('es', spanish, english, translations)

function say<Text, Other>(
  language: SourceLanguage,
  text: Text,
  other: Other,
  translations: Translations<Text | Other> = {},
): Text | Other {
  if (typeof text === 'string' && typeof other === 'string') saidTexts.set(text, { language, other })
  const set = getLanguageSet()
  if (isTranslatedLanguage(set)) {
    const translation = translations[set]
    if (translation !== undefined) return translation
  }
  const shown = isTranslatedLanguage(set) ? translatedLanguages[set].fallback : set
  return shown === 'as-it-comes' || shown === language ? text : other
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
export function translateSentence(sentence: string, language: SourceLanguage): string {
  const said = saidTexts.get(sentence)
  return said && said.language !== language ? said.other : sentence
}
