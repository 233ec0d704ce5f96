import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { externalTestFiles, internalTestFiles, longTestFiles } from '#scripts/test-tiers.ts'

const root = join(import.meta.dirname, '../..')
const existing = (pattern: string) => globSync(pattern, { cwd: root }).length > 0

test('each path that a tier names exists', () => {
  const named = [...longTestFiles, ...externalTestFiles, ...internalTestFiles]
  expect(named.filter((pattern) => !existing(pattern))).toEqual([])
})
