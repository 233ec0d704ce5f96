import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBuiltProject } from '#tests/support/built-project.ts'
import { findOutdatedParts, stampPath } from './source-hash.mjs'

let root: string
const write = (path: string, text: string) => writeFileSync(join(root, path), text)
beforeEach(() => {
  root = createBuiltProject()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('OPS-07 a source changed after the build makes its part of the build outdated', () => {
  expect(findOutdatedParts(root)).toEqual([])
  write('server/main.ts', 'two')
  expect(findOutdatedParts(root)).toEqual(['server'])
  write('contract/main.ts', 'two')
  expect(findOutdatedParts(root)).toEqual(['web', 'server'])
})

test('OPS-07 new packages or a missing stamp make a part outdated, and a changed test does not', () => {
  write('server/main.test.ts', 'two')
  expect(findOutdatedParts(root)).toEqual([])
  rmSync(stampPath(root, 'web'))
  expect(findOutdatedParts(root)).toEqual(['web'])
  write('package-lock.json', 'two')
  expect(findOutdatedParts(root)).toEqual(['web', 'server'])
})

test('OPS-07 an image without the web sources is not outdated', () => {
  rmSync(join(root, 'web'), { recursive: true })
  rmSync(stampPath(root, 'web'))
  expect(findOutdatedParts(root)).toEqual([])
})
