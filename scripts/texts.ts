/**
 * `npm run texts` counts what each catalogue translates. `export pt file` writes every text with its context,
 * `import pt file` reads the translations back, and `prune pt` removes texts that the code no longer has.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { isTranslatedLanguage, type TranslatedLanguage, translatedLanguages } from '#contract/language.ts'
import { type CatalogueText, listCatalogueTexts, writeCatalogue } from './languages/catalogues.ts'
import { findTranslation, readCatalogue } from './languages/translate-texts.ts'

const [action = 'count', given = '', file = ''] = process.argv.slice(2)
const texts = listCatalogueTexts()

if (action === 'count') for (const language of Object.keys(translatedLanguages)) count(language)
else if (!isTranslatedLanguage(given)) fail()
else if (action === 'export' && file) exportTexts(given)
else if (action === 'import' && file)
  importTexts(given, JSON.parse(readFileSync(file, 'utf8')) as CatalogueText[])
else if (action === 'prune') importTexts(given, listWithTranslations(given))
else fail()

function fail(): never {
  console.error('Usage: npm run texts -- [export|import|prune] <language> <file>')
  process.exit(1)
}

function listWithTranslations(language: TranslatedLanguage): CatalogueText[] {
  const catalogue = readCatalogue(language)
  return texts.map(({ source, ...text }) => ({
    ...text,
    translation: findTranslation(source, catalogue.texts) ?? null,
  }))
}

function count(language: string) {
  if (!isTranslatedLanguage(language)) return
  const translated = listWithTranslations(language).filter(({ translation }) => translation !== null)
  console.log(`${language}: ${translated.length} of ${texts.length} texts`)
}

function exportTexts(language: TranslatedLanguage) {
  writeFileSync(file, `${JSON.stringify(listWithTranslations(language), null, 2)}\n`)
}

function importTexts(language: TranslatedLanguage, given: readonly CatalogueText[]) {
  const known = new Set(texts.map(({ key }) => key))
  const translations = given.filter(({ key, translation }) => translation !== null && known.has(key))
  writeCatalogue(language, translations)
  count(language)
}
