import { globSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { externalTestFiles, internalTestFiles, longTestFiles } from '#scripts/test-tiers.ts'

const root = join(import.meta.dirname, '../..')
const existing = (pattern: string) => globSync(pattern, { cwd: root }).length > 0
const existingPart = (part: string) =>
  globSync(`{server,tests}/**/*.test.ts`, { cwd: root }).some((path) => path.includes(part))

test('each path that a test tier names exists', () => {
  expect([...longTestFiles, ...internalTestFiles].filter((pattern) => !existing(pattern))).toEqual([])
  expect(externalTestFiles.filter((part) => !existingPart(part))).toEqual([])
})
