/**
 * `node scripts/prepare-packages-to-run.ts [folder]` removes packages that only a build needs, and links the
 * libraries of the packaged PostgreSQL, because the server's user may not write there. Keeps npm's list of
 * installed packages, so that a start does not reinstall them.
 */
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { linkPackagedPostgresLibraries } from '#server/database/embedded-postgres-binaries.ts'
import { findPackagesToRun, type LockedPackages } from './packages-to-run.ts'
import { projectRootPath } from './run-tool.ts'

const folder = process.argv[2] ?? projectRootPath
const lock: { packages: LockedPackages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
const kept = findPackagesToRun(lock.packages)
const removed = Object.keys(lock.packages).filter((path) => path !== '' && !kept.has(path))
for (const path of [...removed, 'node_modules/.bin', 'node_modules/.cache'])
  rmSync(join(folder, path), { recursive: true, force: true })
linkPackagedPostgresLibraries(folder)
