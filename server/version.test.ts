import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { describeVersion, findOtherVersionOnDisk, readInstalledVersion } from './version.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'juntas-version-'))
  install('0.1.0', 'first')
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function install(version: string, sources: string) {
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ version }))
  for (const part of ['web', 'server']) writeFileSync(join(root, 'dist', `${part}.stamp`), sources)
}

test('OPD-01 the version on disk differs after an upgrade or a new build', () => {
  const running = readInstalledVersion(root)
  expect(describeVersion(running)).toMatch(/^0\.1\.0\+[0-9a-f]{12}$/)
  expect(findOtherVersionOnDisk(running, root)).toBeNull()
  install('0.1.0', 'second')
  expect(findOtherVersionOnDisk(running, root)).toMatchObject({ version: '0.1.0' })
  install('0.2.0', 'first')
  expect(findOtherVersionOnDisk(running, root)).toMatchObject({ version: '0.2.0' })
})

test('OPD-01 sources without a build differ only by their version number', () => {
  const running = { version: '0.1.0', build: null }
  expect(describeVersion(running)).toBe('0.1.0')
  expect(findOtherVersionOnDisk(running, root)).toBeNull()
  install('0.2.0', 'first')
  expect(findOtherVersionOnDisk(running, root)).toMatchObject({ version: '0.2.0' })
})

test('OPD-01 a build in progress or unreadable files do not count as another version', () => {
  const running = readInstalledVersion(root)
  rmSync(join(root, 'dist', 'web.stamp'))
  expect(findOtherVersionOnDisk(running, root)).toBeNull()
  writeFileSync(join(root, 'package.json'), '{')
  expect(findOtherVersionOnDisk(running, root)).toBeNull()
})
