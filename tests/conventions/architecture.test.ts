/** Enforces the rules of ARCHITECTURE.md about imports, writes and route declarations. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { collectionDefinitionsByName } from '#server/store/collection-definitions.ts'

const root = join(import.meta.dirname, '..', '..')
const sources = (pattern: string) =>
  globSync(pattern, { cwd: root }).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
const product = (path: string) => !/\.(test|spec)\.tsx?$/.test(path)
const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, specifier]) => specifier ?? '')

describe('imports', () => {
  test.each([
    ['contract/**/*.ts', /^#(server|web|tests)\//],
    ['server/**/*.ts', /^#web\/|(^|\/)web\//],
    ['web/**/*.{ts,tsx}', /^#server\/|(^|\/)server\//],
  ])('%s imports nothing of %s', (pattern, foreign) => {
    const files = sources(pattern).filter(({ path }) => product(path))
    expect(files.length).toBeGreaterThan(5)
    const guilty = files.filter(({ text }) => importsOf(text).some((specifier) => foreign.test(specifier)))
    expect(guilty.map(({ path }) => path)).toEqual([])
  })

  test('the parts of the web know no noun', () => {
    const guilty = sources('web/ui/**/*.{ts,tsx}').filter(({ text }) =>
      importsOf(text).some((specifier) => specifier.includes('/features/')),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })
})

describe('writers', () => {
  test('the tables of the document collections are written in the store alone', () => {
    const tables = Object.values(collectionDefinitionsByName).map(({ table }) => table)
    const write = new RegExp(
      String.raw`\b(insert\s+into|update|delete\s+from)\s+(${tables.join('|')})\b|(insertInto|updateTable|deleteFrom)\('(${tables.join('|')})'`,
      'i',
    )
    const guilty = sources('server/**/*.ts').filter(
      ({ path, text }) =>
        product(path) && path !== 'server/store/store.ts' && write.test(withoutComments(text)),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })

  test('a transaction of the collections begins in the store alone', () => {
    const guilty = sources('server/features/*.ts').filter(
      ({ path, text }) => product(path) && /\.transaction\(\)|\bbegin\b.*execute/.test(withoutComments(text)),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })

  test('the environment is read by the settings alone', () => {
    const guilty = sources('server/**/*.ts').filter(
      ({ path, text }) =>
        product(path) &&
        !['server/config.ts', 'server/main.ts'].includes(path) &&
        /process\.env[.[]/.test(text),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })
})

test('every route is declared by one function, but for preflights and the files of the web', () => {
  const guilty = sources('server/**/*.ts').filter(
    ({ path, text }) =>
      product(path) &&
      /\b(app|scope|pages)\.(get|put|post|patch|delete|head|options|all|route)[(<]/.test(
        withoutComments(text),
      ),
  )
  expect(guilty.map(({ path }) => path).sort()).toEqual([
    'server/http/cors.ts',
    'server/http/static-web.ts',
    'server/route.ts',
  ])
})

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
