/** What is installed is what the lock says, from wherever it comes; and what production is made of can be listed. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { projectRootPath, runProgram } from '../scripts/run-tool.ts'

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

test('every archive in the lock has its integrity', () => {
  expect(locked.length).toBeGreaterThan(500)
  // What is bundled has no archive of its own.
  const bare = locked.filter(({ integrity, inBundle }) => !inBundle && !integrity?.startsWith('sha512-'))
  expect(bare.map(({ path }) => path)).toEqual([])
})

test('no entry of the lock names where it is fetched from', () => {
  expect(locked.filter(({ resolved }) => resolved).map(({ path }) => path)).toEqual([])
})

test('one Node and one PostgreSQL are there for every platform', () => {
  const platforms = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']
  for (const folder of ['scripts/node', '.']) {
    const packages = Object.keys(read(join(folder, 'package.json')).optionalDependencies)
    const entries = packages.map((other) => locked.find(({ path }) => path === `node_modules/${other}`))
    expect(entries.map((entry) => `${entry?.os}-${entry?.cpu}`).sort()).toEqual(platforms)
    expect(new Set(entries.map((entry) => entry?.version)).size).toBe(1)
  }
})

test('`npm run sbom` lists every package of production, and no other', async () => {
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
