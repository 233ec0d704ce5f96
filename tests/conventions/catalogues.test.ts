import { expect, test } from 'vitest'
import { isTranslatedLanguage, languageNames, languages, translatedLanguages } from '#contract/language.ts'
import { listCatalogueTexts } from '#scripts/languages/catalogues.ts'
import { listValues, parseMessage } from '#scripts/languages/text-messages.ts'
import { compileTranslation, readCatalogue } from '#scripts/languages/translate-texts.ts'

const texts = listCatalogueTexts()
const edges = (text: string) => [/^\s*/.exec(text)?.[0], /\s*$/.exec(text)?.[0]]

for (const language of languages.filter(isTranslatedLanguage)) {
  const catalogue = readCatalogue(language)
  const translated = texts.flatMap((text) => {
    const translation = catalogue.texts[text.key]
    return translation === undefined ? [] : [{ ...text, translation }]
  })

  test(`LANG-09 the catalogue ${language} contains no text that the product no longer has`, () => {
    const known = new Set(texts.map(({ key }) => key))
    const unknown = Object.keys(catalogue.texts).filter((key) => !known.has(key))
    expect(unknown, `Run npm run texts -- prune ${language}`).toEqual([])
    expect(translated.length).toBeGreaterThan(1000)
  })

  test(`LANG-09 translations in ${language} have the values of their texts, and the same spaces around them`, () => {
    const { fallback } = translatedLanguages[language]
    const wrong = translated.flatMap(({ key, source, translation }) => {
      const compiled = compileTranslation(source, translation, language, () => 'value')
      expect(compiled, key).toBeTruthy()
      const given = [...listValues(parseMessage(translation))].toSorted().join()
      const wanted = [source.en, source.es].map(({ values }) => [...values.keys()].toSorted().join())
      const shown = source.en.text.trim() ? source.en.text : source[fallback].text
      const isPadded = translation === '' || `${edges(translation)}` === `${edges(shown)}`
      return wanted.includes(given) && isPadded ? [] : [key]
    })
    expect(wrong).toEqual([])
  })

  test(`LANG-09 members read that ${language} is a machine translation as long as its catalogue says so`, () => {
    expect(/\(.+\)/.test(languageNames[language])).toBe(catalogue.machineTranslated)
    expect(languageNames[language].startsWith(catalogue.name)).toBe(true)
  })
}
