import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { carriedPaths, isCarriedFile, readReleaseNotes } from './archive-contents.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test("the release notes are the version's section of the changelog", () => {
  const changelog =
    '# Changelog\n\n## Unreleased\n\n- Later.\n\n## [0.2.0] - 2026-12-01\n\n### Added\n\n- This.\n\n## 0.1.0\n\n- First.\n'
  expect(readReleaseNotes(changelog, '0.2.0')).toBe('### Added\n\n- This.\n')
  expect(readReleaseNotes(changelog, '0.1.0')).toBe('- First.\n')
})

test('a version without a changelog section gets the notes of Unreleased, or no notes', () => {
  expect(readReleaseNotes('## Unreleased\n\n- Now.\n\n## 0.1.0\n\n- First.\n', '0.1.00')).toBe('- Now.\n')
  expect(readReleaseNotes('# Changelog\n', '0.1.0')).toBeNull()
  expect(readReleaseNotes(read('CHANGELOG.md'), JSON.parse(read('package.json')).version)).toContain(
    '### Added',
  )
})

test('a release archive contains the same files as the Docker image, and no tests', () => {
  const stage =
    read('Dockerfile')
      .split(/^FROM /m)
      .at(-1) ?? ''
  const copied = [...stage.matchAll(/^COPY (?!--from)(\S+)/gm)].map(([, path = '']) => path)
  expect(copied.length).toBeGreaterThan(4)
  expect(carriedPaths).toEqual(expect.arrayContaining(copied))
  expect(carriedPaths.filter((path) => !existsSync(join(root, path)))).toEqual([])
  expect(['server/main.ts', 'server/app.test.ts'].filter(isCarriedFile)).toEqual(['server/main.ts'])
})

test('the release workflow builds the archives with `npm run release`', () => {
  const workflow = read('.github/workflows/release.yml')
  expect(workflow).toContain('npm run release')
  expect(workflow).toContain('.cache/release')
})
