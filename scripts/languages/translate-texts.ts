/** Adds the texts of the catalogues (contract/texts) to the calls of `en` and `es`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { Plugin } from 'vite'
import { type TranslatedLanguage, translatedLanguages } from '../../contract/language.ts'
import { findLanguageImports } from './find-language-imports.ts'
import {
  compileMessage,
  namesOf,
  parseMessage,
  readSourceMessage,
  type SourceMessage,
} from './text-messages.ts'

export type Catalogue = { name: string; machineTranslated: boolean; texts: Record<string, string> }
type Catalogues = Partial<Record<TranslatedLanguage, Catalogue['texts']>>

export const cataloguePath = (language: TranslatedLanguage): string =>
  join(import.meta.dirname, '..', '..', 'contract', 'texts', `${language}.json`)

export const readCatalogue = (language: TranslatedLanguage): Catalogue =>
  JSON.parse(readFileSync(cataloguePath(language), 'utf8'))

export type SourceText = { at: number; en: SourceMessage; es: SourceMessage }

/** Finds the texts of a module, in order. `at` is the end of their last argument. */
export function listSourceTexts(file: string, code: string): SourceText[] {
  const { program } = parseSync(file, code)
  const names = findLanguageImports(program)
  const found: SourceText[] = []
  new Visitor({
    CallExpression({ callee, arguments: [first, other] }) {
      const called = callee.type === 'Identifier' ? names.get(callee.name) : undefined
      if ((called !== 'en' && called !== 'es') || !first || !other) return
      const [english, spanish] = called === 'en' ? [first, other] : [other, first]
      const en = readSourceMessage(english as ESTree.Node, code)
      found.push({
        at: other.end,
        en,
        es: readSourceMessage(spanish as ESTree.Node, code, namesOf(en, code)),
      })
    },
  }).visit(program)
  return found
}

/** The key is the English text. If two Spanish texts share it, the key contains the Spanish text too. */
export const longKey = ({ en, es }: SourceText): string => `${en.text} [${es.text}]`

export function findTranslation(text: SourceText, texts: Catalogue['texts']): string | undefined {
  return texts[longKey(text)] ?? texts[text.en.text]
}

/** @returns null if no text is translated */
export function translateTexts(file: string, code: string, catalogues: Catalogues): string | null {
  const found = listSourceTexts(file, code)
  const slice = (start: number, end: number): string => {
    let written = ''
    let from = start
    for (const text of found.filter(({ at }) => at > start && at <= end).toSorted((a, b) => a.at - b.at)) {
      written += code.slice(from, text.at) + translationsOf(text)
      from = text.at
    }
    return written + code.slice(from, end)
  }
  const translationsOf = (text: SourceText): string => {
    const properties = Object.entries(catalogues).flatMap(([language, texts]) => {
      const translation = findTranslation(text, texts)
      return translation === undefined
        ? []
        : `${language}: ${compileTranslation(text, translation, language as TranslatedLanguage, slice)}`
    })
    return properties.length === 0 ? '' : `, { ${properties.join(', ')} }`
  }
  const translated = slice(0, code.length)
  return translated === code ? null : translated
}

/** @throws if the translation names a value that the text does not have */
export function compileTranslation(
  text: SourceText,
  translation: string,
  language: TranslatedLanguage,
  slice: (start: number, end: number) => string,
): string {
  const { fallback } = translatedLanguages[language]
  const sources = [text[fallback], text.en, text.es]
  return compileMessage(parseMessage(translation), language, (name, kind) => {
    for (const { values, conditions } of sources) {
      const place = kind === 'value' ? values.get(name) : (conditions.get(`${name} ${kind}`) ?? undefined)
      if (place) return slice(place.start, place.end)
    }
    for (const { values } of kind === 'plural' ? sources : []) {
      const place = values.get(name)
      if (place) return slice(place.start, place.end)
    }
    throw new Error(`The ${language} translation of ‘${text.en.text}’ names an unknown {${name}}.`)
  })
}

/** Runs before TypeScript and JSX are compiled, so that keys do not depend on the compiler. */
export function translateTextsPlugin(): Plugin {
  const read = () =>
    Object.fromEntries(
      (Object.keys(translatedLanguages) as TranslatedLanguage[]).map((language) => [
        language,
        readCatalogue(language).texts,
      ]),
    )
  let catalogues = read()
  return {
    name: 'translate-texts',
    enforce: 'pre',
    watchChange() {
      catalogues = read()
    },
    transform: {
      filter: { id: /\/(?:web|contract)\/.*\.tsx?$/, code: /language\.ts/ },
      handler: (code, id) => translateTexts(id.replace(/\?.*/, ''), code, catalogues),
    },
  }
}
