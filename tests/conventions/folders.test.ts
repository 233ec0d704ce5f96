import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..', '..')
const isTest = (path: string) => /\.(test|spec)\.tsx?$/.test(path)

/** A test next to the code counts as `tests`, which may import anything. */
const allowed: Record<string, string[]> = {
  contract: [],
  'api-client': ['contract'],
  server: ['contract'],
  web: ['contract'],
  scripts: ['contract', 'api-client', 'server'],
  bench: ['contract', 'api-client', 'server', 'scripts'],
}

test.each(Object.entries(allowed))('the folder %s imports only from %j', (folder, others) => {
  const files = globSync(`${folder}/**/*.{ts,tsx,mjs}`, { cwd: root }).filter((path) => !isTest(path))
  expect(files.length).toBeGreaterThan(2)
  const imports = files.flatMap((path) => importsOf(path).map((imported) => ({ path, imported })))
  const foreign = imports.filter(
    ({ imported }) => ![folder, ...others].includes(imported.split('/')[0] ?? ''),
  )
  expect(foreign).toEqual([])
})

function importsOf(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*'((?:\.\.?|#\w+)\/[^']+\.(?:tsx?|mjs))'/g)]
    .map(([, specifier = '']) => specifier)
    .map((specifier) => (specifier.startsWith('#') ? specifier.slice(1) : join(dirname(path), specifier)))
}
