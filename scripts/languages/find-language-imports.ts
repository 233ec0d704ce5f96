import type { ESTree } from 'rolldown/utils'

export type LanguageFunction = 'en' | 'es' | 'getLanguageSet'

const functions = new Set<string>(['en', 'es', 'getLanguageSet'] satisfies LanguageFunction[])

const languageModule = /^(?:#contract|\.\.?)\/(?:[\w./-]+\/)?language\.ts$/

/** Returns the imported functions of contract/language.ts by their local names. */
export function findLanguageImports(program: ESTree.Program): Map<string, LanguageFunction> {
  const names = new Map<string, LanguageFunction>()
  for (const statement of program.body) {
    if (statement.type !== 'ImportDeclaration' || !languageModule.test(statement.source.value)) continue
    for (const specifier of statement.specifiers) {
      if (specifier.type !== 'ImportSpecifier')
        throw new Error('Import the functions of language.ts by name.')
      const imported = specifier.imported.type === 'Identifier' ? specifier.imported.name : ''
      if (functions.has(imported)) names.set(specifier.local.name, imported as LanguageFunction)
    }
  }
  return names
}
