/** Holds what the run of everything leaves out on an external database to files that are there. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('each test that is left out on an external database is there', () => {
  const script = readFileSync(join(root, '.ci/run'), 'utf8')
  const [, list = ''] = /elsewhere=\(([^)]*)\)/.exec(script) ?? []
  const patterns = list.split(/\s+/).flatMap((word) => expandBraces(word.replaceAll("'", '')))
  expect(patterns.length).toBeGreaterThan(20)
  expect(patterns.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
})

/** Lists what a pattern with one pair of braces at most stands for. */
function expandBraces(pattern: string): string[] {
  const [, before = '', choices, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(pattern) ?? []
  if (choices === undefined) return pattern === '' ? [] : [pattern]
  return choices.split(',').map((choice) => before + choice + after)
}
