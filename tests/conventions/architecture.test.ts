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
  ])('%s imports nothing that matches %s', (pattern, foreign) => {
    const files = sources(pattern).filter(({ path }) => product(path))
    expect(files.length).toBeGreaterThan(5)
    const guilty = files.filter(({ text }) => importsOf(text).some((specifier) => foreign.test(specifier)))
    expect(guilty.map(({ path }) => path)).toEqual([])
  })

  test('web/ui imports nothing from the features', () => {
    const guilty = sources('web/ui/**/*.{ts,tsx}').filter(({ text }) =>
      importsOf(text).some((specifier) => specifier.includes('/features/')),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })
})

describe('restricted writes and reads', () => {
  test('only the store writes the tables of the document collections', () => {
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

  test('only the store begins transactions on the collections', () => {
    const guilty = sources('server/features/*.ts').filter(
      ({ path, text }) => product(path) && /\.transaction\(\)|\bbegin\b.*execute/.test(withoutComments(text)),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })

  test('only config.ts and main.ts read the environment', () => {
    const guilty = sources('server/**/*.ts').filter(
      ({ path, text }) =>
        product(path) &&
        !['server/config.ts', 'server/main.ts'].includes(path) &&
        /process\.env[.[]/.test(text),
    )
    expect(guilty.map(({ path }) => path)).toEqual([])
  })
})

test('one function declares every route, except preflights and the files of the web', () => {
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
