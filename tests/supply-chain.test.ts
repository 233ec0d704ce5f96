import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findForbiddenPackages, listLockedPackages } from '../scripts/licences/locked-packages.ts'
import { projectRootPath, runProgram } from '../scripts/run-tool.ts'

const builtLicences = join(projectRootPath, 'dist/web/licences.txt')

type Entry = {
  name?: string
  version: string
  integrity?: string
  resolved?: string
  link?: true
  inBundle?: true
  dev?: true
  optional?: true
  os?: string[]
  cpu?: string[]
}

const read = (path: string) => JSON.parse(readFileSync(join(projectRootPath, path), 'utf8'))
const lockedIn = (folder: string) =>
  Object.entries(read(join(folder, 'package-lock.json')).packages as Record<string, Entry>)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, entry]) => ({ path, ...entry }))
const locked = [...lockedIn('.'), ...lockedIn('scripts/node')]

test('every package archive in package-lock.json has an integrity hash', () => {
  expect(locked.length).toBeGreaterThan(500)
  // A bundled package has no archive of its own.
  const bare = locked.filter(({ integrity, inBundle }) => !inBundle && !integrity?.startsWith('sha512-'))
  expect(bare.map(({ path }) => path)).toEqual([])
})

test('no entry of package-lock.json names a download URL', () => {
  expect(locked.filter(({ resolved }) => resolved).map(({ path }) => path)).toEqual([])
})

test('Node and PostgreSQL have one version for every platform', () => {
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
  for (const folder of ['scripts/node', '.']) {
    const packages = Object.keys(read(join(folder, 'package.json')).optionalDependencies)
    const entries = packages.map((other) => locked.find(({ path }) => path === `node_modules/${other}`))
    expect(entries.map((entry) => `${entry?.os}-${entry?.cpu}`).sort()).toEqual(platforms)
    expect(new Set(entries.map((entry) => entry?.version)).size).toBe(1)
  }
})

test('`npm run sbom` lists exactly the production packages', async () => {
  const { status, output } = await runProgram(process.execPath, ['scripts/sbom.ts'])
  expect(status).toBe(0)
  const bom = JSON.parse(output)
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name: 'juntas' } } })
  const listed = new Set(bom.components.map(({ purl }: { purl: string }) => decodeURIComponent(purl)))
  const production = locked.filter(({ dev }) => !dev)
  const wanted = production.map(
    ({ path, name, version }) => `pkg:npm/${name ?? path.split('node_modules/').at(-1)}@${version}`,
  )
  expect(listed).toEqual(new Set(wanted))
  expect(listed).toContain(`pkg:npm/fastify@${read('package.json').dependencies.fastify}`)
})

const planted = [
  { name: 'ua-parser-js', version: '2.0.0', licence: 'AGPL-3.0-or-later' },
  { name: 'some-lgpl-package', version: '1.0.0', licence: 'LGPL-3.0' },
  { name: 'two-licences', version: '1.0.0', licence: '(MIT AND GPL-3.0-only)' },
  { name: 'nobody-knows', version: '1.0.0', licence: 'unknown' },
]

test('every production package has an allowed licence, and the check finds a planted AGPL package', () => {
  const packages = listLockedPackages()
  expect(packages.length).toBeGreaterThan(300)
  expect(findForbiddenPackages(packages)).toEqual([])
  expect(findForbiddenPackages([...packages, ...planted])).toEqual(planted)
  expect(findForbiddenPackages([{ name: 'choice', version: '1.0.0', licence: '(MIT OR GPL-3.0)' }])).toEqual(
    [],
  )
})

test('NOTICE names every production package', () => {
  const notice = readFileSync(join(projectRootPath, 'NOTICE'), 'utf8')
  const missing = listLockedPackages().filter(
    ({ name, version }) => !notice.includes(`  ${name} ${version}\n`),
  )
  expect(missing).toEqual([])
})

test.skipIf(!existsSync(builtLicences))(
  'SET-17 the web serves the licences of all code that browsers receive',
  () => {
    const text = readFileSync(builtLicences, 'utf8')
    for (const name of ['react', 'react-dom', 'zod', 'libheif-js', '@fontsource-variable/figtree', 'uqr'])
      expect(text).toMatch(new RegExp(`^${name} \\d\\S* \\(`, 'm'))
    expect(text).toContain('SIL OPEN FONT LICENSE')
    expect(text).toContain('GNU LESSER GENERAL PUBLIC LICENSE')
  },
)
