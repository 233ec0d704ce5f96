/** Keeps a server from running an earlier version's program after an upgrade. */
import { join } from 'node:path'
import { StartupError } from '../startup-error.ts'
import { findOutdatedParts } from './source-hash.mjs'

/** scripts/build-server.ts writes true here: sources that run themselves are never outdated. */
const isBuilt = false

const root = join(import.meta.dirname, '..', '..')

/** @throws StartupError where dist/ was built from other sources than those beside it */
export function assertBuiltFromSources(): void {
  const outdated = isBuilt ? findOutdatedParts(root) : []
  if (outdated.length === 0) return
  throw new StartupError(
    `dist/ was built from other sources (${outdated.join(', ')}): run \`npm run build\`, then start Juntas again.`,
  )
}
