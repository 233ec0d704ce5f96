import {
  isTranslatedLanguage,
  type Language,
  type TranslatedLanguage,
  translatedLanguages,
  translateSentence,
} from '#contract/language.ts'
import portuguese from '#contract/texts/pt.json' with { type: 'json' }

const catalogues: Record<TranslatedLanguage, Record<string, string>> = { pt: portuguese.texts }

/** Only whole sentences are in the catalogues. Others are shown in the catalogue's fallback language. */
export function translateMessage(sentence: string, language: Language): string {
  if (!isTranslatedLanguage(language)) return translateSentence(sentence, language)
  return (
    catalogues[language][translateSentence(sentence, 'en')] ??
    translateSentence(sentence, translatedLanguages[language].fallback)
  )
}
