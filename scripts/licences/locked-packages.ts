/** The lock files name the packages of a production installation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from '../run-tool.ts'

export type LockedPackage = { name: string; version: string; licence: string }

type Lock = { packages: Record<string, { name?: string; version: string; license?: string; dev?: true }> }

export function listLockedPackages(): LockedPackage[] {
  const packages = new Map<string, LockedPackage>()
  for (const folder of ['.', 'scripts/node']) {
    const lock = JSON.parse(readFileSync(join(projectRootPath, folder, 'package-lock.json'), 'utf8')) as Lock
    for (const [path, { name, version, license, dev }] of Object.entries(lock.packages)) {
      if (path === '' || dev) continue
      const found = name ?? path.split('node_modules/').at(-1) ?? path
      packages.set(`${found}@${version}`, { name: found, version, licence: license ?? 'unknown' })
    }
  }
  return [...packages.values()].sort(
    (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0) || (a.version < b.version ? -1 : 1),
  )
}

/** These licences require only a notice, or NOTICE meets their conditions. */
const allowed: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
  'Zlib',
])

/** Users can replace these LGPL libraries, because each is a separate file. */
const replaceable = /^(libheif-js|@img\/sharp-.+)$/
const lesser = /^LGPL-3\.0(-or-later)?$/

export const findForbiddenPackages = (packages: readonly LockedPackage[]): LockedPackage[] =>
  packages.filter(({ name, licence }) => !isAllowed(licence, name))

/** All parts of an AND must be allowed, and at least one of an OR. */
function isAllowed(licence: string, name: string): boolean {
  const text = licence.replace(/^\((.*)\)$/, '$1')
  if (text.includes(' AND ')) return text.split(' AND ').every((part) => isAllowed(part, name))
  if (text.includes(' OR ')) return text.split(' OR ').some((part) => isAllowed(part, name))
  return allowed.has(text) || (lesser.test(text) && replaceable.test(name))
}

/** @returns an installed package's licence files as one text; null if it has none */
export function readLicenceText(folder: string): string | null {
  if (!existsSync(folder)) return null
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)(\.|-|$)/i.test(file))
  const texts = files.sort().map((file) => readFileSync(join(folder, file), 'utf8').trim())
  return texts.length > 0 ? texts.join('\n\n') : null
}
