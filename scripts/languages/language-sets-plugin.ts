/**
 * Writes the web once per language set: the default set to `assets`, each other set to a folder such as `assets/es`
 * with its own page. Identical chunks are hard links.
 */
import { linkSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { RolldownMagicString } from 'rolldown'
import { type ESTree, parseSync, Visitor } from 'rolldown/utils'
import type { Plugin } from 'vite'
import {
  fileInLanguageSet,
  isTranslatedLanguage,
  type LanguageSet,
  languages,
  type SourceLanguage,
  translatedLanguages,
} from '../../contract/language.ts'
import { findLanguageImports, type LanguageFunction } from './find-language-imports.ts'

/** Globals that stand for the functions until each set is written. Minifiers do not rename, call or copy globals. */
const placeholders: Record<LanguageFunction, string> = {
  en: '__juntasEnglish',
  es: '__juntasSpanish',
  getLanguageSet: '__juntasLanguageSet',
}

const languageOfPlaceholder: Record<string, SourceLanguage> = {
  [placeholders.en]: 'en',
  [placeholders.es]: 'es',
}

const pageOfSet = (set: LanguageSet): string => (set === 'as-it-comes' ? 'index.html' : `index.${set}.html`)

/** @returns null without imports of language functions */
export function replaceTextsByPlaceholders(code: string): string | null {
  const { program } = parseSync('module.js', code)
  const names = findLanguageImports(program)
  if (names.size === 0) return null
  const edited = new RolldownMagicString(code)
  new Visitor({
    CallExpression({ callee }) {
      const imported = callee.type === 'Identifier' ? names.get(callee.name) : undefined
      if (imported) edited.overwrite(callee.start, callee.end, `/* @__PURE__ */ ${placeholders[imported]}`)
    },
  }).visit(program)
  return edited.toString()
}

type Call = { start: number; end: number; placeholder: string; args: readonly ESTree.Argument[] }

/** @param chunkFiles the default names of all chunks */
export function fillInLanguageSet(code: string, set: LanguageSet, chunkFiles: ReadonlySet<string>): string {
  const names = Object.values(placeholders)
  if (!names.some((name) => code.includes(name)) && (set === 'as-it-comes' || !code.includes('assets/')))
    return code
  const calls: Call[] = []
  const edited = new RolldownMagicString(code)
  const { program, errors } = parseSync('chunk.js', code)
  if (errors.length > 0) throw new Error(`A chunk cannot be read: ${errors[0]?.message}`)
  new Visitor({
    CallExpression({ start, end, callee, arguments: args }) {
      if (callee.type === 'Identifier' && names.includes(callee.name))
        calls.push({ start, end, placeholder: callee.name, args })
    },
    Literal({ start, end, value }) {
      if (typeof value !== 'string') return
      const file = value.replace(/^\//, '')
      if (chunkFiles.has(file))
        edited.overwrite(start, end, JSON.stringify(value.replace(file, fileInLanguageSet(file, set))))
    },
  }).visit(program)
  const removed: { start: number; end: number }[] = []
  const remove = (start: number, end: number) => {
    removed.push({ start, end })
    if (end > start) edited.remove(start, end)
  }
  for (const call of calls.toSorted((one, next) => one.start - next.start)) {
    // The call is inside a text that this set removes.
    if (removed.some(({ start, end }) => start <= call.start && call.start < end)) continue
    if (call.placeholder === placeholders.getLanguageSet) {
      edited.overwrite(call.start, call.end, JSON.stringify(set))
      continue
    }
    const shown = shownArgument(call, set)
    const isBare = standsAlone.has(shown.type)
    remove(call.start, shown.start)
    remove(shown.end, call.end)
    if (!isBare) edited.appendRight(shown.start, '(').appendLeft(shown.end, ')')
  }
  return edited.toString()
}

/** These expressions need no parentheses. */
const standsAlone = new Set<string>([
  'Literal',
  'TemplateLiteral',
  'Identifier',
  'CallExpression',
  'MemberExpression',
])

function shownArgument({ placeholder, args }: Call, set: LanguageSet): ESTree.Argument {
  const [text, other, translations] = args
  if (!text || !other || args.length > 3 || args.some(({ type }) => type === 'SpreadElement'))
    throw new Error('A text needs its two languages, one after the other.')
  const translation = isTranslatedLanguage(set) && findProperty(translations, set)
  if (translation) return translation
  const shown = isTranslatedLanguage(set) ? translatedLanguages[set].fallback : set
  return shown === 'as-it-comes' || shown === languageOfPlaceholder[placeholder] ? text : other
}

function findProperty(
  translations: ESTree.Argument | undefined,
  name: string,
): ESTree.Expression | undefined {
  if (translations?.type !== 'ObjectExpression') return undefined
  const named = translations.properties.find(
    (property) => property.type === 'Property' && 'name' in property.key && property.key.name === name,
  )
  return named?.type === 'Property' ? named.value : undefined
}

export function renderPageInLanguageSet(
  page: string,
  set: LanguageSet,
  chunkFiles: ReadonlySet<string>,
): string {
  let written = set === 'as-it-comes' ? page : page.replace('<html lang="en">', `<html lang="${set}">`)
  for (const file of chunkFiles)
    written = written.replaceAll(`"/${file}"`, `"/${fileInLanguageSet(file, set)}"`)
  return written
}

/** Runs after all plugins that write chunks, and before compression. */
export function languageSetsPlugin(): Plugin {
  const links: { file: string; name: string }[] = []
  return {
    name: 'write-language-sets',
    apply: 'build',
    transform: {
      filter: { id: /\/(?:web|contract)\/.*\.tsx?$/, code: /language\.ts/ },
      handler: (code) => replaceTextsByPlaceholders(code),
    },
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        links.length = 0
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
        const chunkFiles = new Set(chunks.map(({ fileName }) => fileName))
        for (const set of languages) {
          for (const { fileName, code } of chunks) {
            const name = fileInLanguageSet(fileName, set)
            const source = fillInLanguageSet(code, set, chunkFiles)
            if (source === code) links.push({ file: fileName, name })
            else this.emitFile({ type: 'asset', fileName: name, source })
          }
          const page = bundle['index.html']
          if (page?.type !== 'asset') throw new Error('The build has no page.')
          const source = renderPageInLanguageSet(String(page.source), set, chunkFiles)
          this.emitFile({ type: 'asset', fileName: pageOfSet(set), source })
        }
        for (const chunk of chunks) chunk.code = fillInLanguageSet(chunk.code, 'as-it-comes', chunkFiles)
      },
    },
    writeBundle({ dir = '' }) {
      for (const { file, name } of links)
        for (const ending of ['', '.br', '.gz']) {
          mkdirSync(dirname(join(dir, name)), { recursive: true })
          linkSync(join(dir, `${file}${ending}`), join(dir, `${name}${ending}`))
        }
    },
  }
}
