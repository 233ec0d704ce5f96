import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

test('the CI workflow runs `.ci/run` and nothing else', () => {
  const workflow = read('.github/workflows/ci.yml')
  expect([...workflow.matchAll(/^ *(?:- )?run: (.+)$/gm)].map(([, command]) => command)).toEqual(['.ci/run'])
  expect(workflow).not.toMatch(/secrets\.|pull_request_target/)
})

test('Renovate pins exact versions and keeps ua-parser-js below its AGPL version', () => {
  const { rangeStrategy, packageRules } = JSON.parse(read('renovate.json'))
  expect(rangeStrategy).toBe('pin')
  expect(packageRules).toContainEqual(
    expect.objectContaining({ matchPackageNames: ['ua-parser-js'], allowedVersions: '<2' }),
  )
})

test('the development container installs what npm start and the journeys need', () => {
  const { postCreateCommand } = JSON.parse(read('.devcontainer/devcontainer.json'))
  expect(postCreateCommand).toContain('npm ci --ignore-scripts')
  expect(postCreateCommand).toContain('chromium')
})

test('links in the templates and the code of conduct lead to existing pages', () => {
  const texts = ['CODE_OF_CONDUCT.md', '.github/pull_request_template.md', '.github/ISSUE_TEMPLATE/bug.yml']
  const named = texts.flatMap((path) => read(path).match(/\b[A-Z_]{4,}\.md\b/g) ?? [])
  expect(named).toContain('SECURITY.md')
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
})
