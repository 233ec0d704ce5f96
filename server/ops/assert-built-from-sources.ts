import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { isBuilt } from '../version.ts'
import { findOutdatedParts } from './source-hash.mjs'

const root = join(import.meta.dirname, '..', '..')

/** @throws StartupError after an upgrade without a build */
export function assertBuiltFromSources(): void {
  const outdated = isBuilt ? findOutdatedParts(root) : []
  if (outdated.length === 0) return
  throw new StartupError(
    `dist/ was built from other sources (${outdated.join(', ')}): run \`npm run build\`, then start Juntas again.`,
  )
}
