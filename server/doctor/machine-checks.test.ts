import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createBuiltProject } from '#tests/support/built-project.ts'
import { checkBuild } from './machine-checks.ts'

let root: string
beforeEach(() => {
  root = createBuiltProject()
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

test('OPS-07 the doctor warns about a build from other sources and names the command', async () => {
  const check = (production = true) => checkBuild({ production }, root)
  expect(await check()).toEqual([])
  writeFileSync(join(root, 'web', 'main.ts'), 'two')
  const told = [
    {
      verdict: 'warning',
      sentence: 'dist/ was built from other sources (web): run `npm run build`, then restart Juntas.',
    },
  ]
  expect(await check()).toEqual(told)
  expect(await check(false)).toEqual(told)
})

test('OPS-07 the doctor warns about a missing build only in production, where a service manager starts it', async () => {
  rmSync(join(root, 'dist'), { recursive: true })
  expect(await checkBuild({ production: true }, root)).toEqual([
    { verdict: 'warning', sentence: 'dist/ is missing: run `npm run build` before you start Juntas.' },
  ])
  expect(await checkBuild({ production: false }, root)).toEqual([])
})
