/** Lists the texts of the code for translators, and writes catalogues. */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TranslatedLanguage } from '../../contract/language.ts'
import { projectRootPath } from '../run-tool.ts'
import {
  type Catalogue,
  cataloguePath,
  listSourceTexts,
  longKey,
  readCatalogue,
  type SourceText,
} from './translate-texts.ts'

export type CatalogueText = { key: string; spanish: string; file: string; translation: string | null }

type ListedText = Omit<CatalogueText, 'translation'> & { source: SourceText }

/** In the order of the files. A key contains the Spanish text only if the English text alone is ambiguous. */
export function listCatalogueTexts(): ListedText[] {
  const found = globSync('{web,contract}/**/*.{ts,tsx}', { cwd: projectRootPath })
    .filter((file) => !/\.(test|spec)\.tsx?$/.test(file))
    .toSorted()
    .flatMap((file) =>
      listSourceTexts(file, readFileSync(join(projectRootPath, file), 'utf8')).map((source) => ({
        file,
        source,
      })),
    )
  const spanish = new Map<string, Set<string>>()
  for (const { source } of found) {
    const texts = spanish.get(source.en.text) ?? new Set()
    spanish.set(source.en.text, texts.add(source.es.text))
  }
  const listed = new Map<string, ListedText>()
  for (const { file, source } of found) {
    const isAmbiguous = source.en.text === '' || (spanish.get(source.en.text)?.size ?? 0) > 1
    const key = isAmbiguous ? longKey(source) : source.en.text
    if (!listed.has(key)) listed.set(key, { key, spanish: source.es.text, file, source })
  }
  return [...listed.values()]
}

export function writeCatalogue(
  language: TranslatedLanguage,
  translations: readonly Pick<CatalogueText, 'key' | 'translation'>[],
): void {
  const catalogue: Catalogue = {
    ...readCatalogue(language),
    texts: Object.fromEntries(
      translations.flatMap(({ key, translation }) => (translation === null ? [] : [[key, translation]])),
    ),
  }
  writeFileSync(cataloguePath(language), `${JSON.stringify(catalogue, null, 2)}\n`)
}
