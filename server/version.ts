import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `build` identifies the sources of dist/. Null without a build. */
export type InstalledVersion = { version: string; build: string | null }

/** scripts/build-server.ts replaces this with true. */
export const isBuilt = false

const projectRoot = join(import.meta.dirname, '..')

export function readInstalledVersion(root = projectRoot): InstalledVersion {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, build: readBuild(root) }
}

/** The stamps are hashes of the sources (ops/source-hash.mjs). */
function readBuild(root: string): string | null {
  try {
    const stamps = ['web', 'server'].map((part) => readFileSync(join(root, 'dist', `${part}.stamp`), 'utf8'))
    return createHash('sha256').update(stamps.join('\n')).digest('hex').slice(0, 12)
  } catch {
    return null
  }
}

const atStart = readInstalledVersion()

export const runningVersion: InstalledVersion = isBuilt ? atStart : { ...atStart, build: null }

/** Returns text such as `0.1.0+1a2b3c4d5e6f`. */
export const describeVersion = ({ version, build }: InstalledVersion): string =>
  build ? `${version}+${build}` : version

/**
 * A missing stamp does not count, because a build may be in progress.
 * @returns the version that a restart would run; null if it is the same or unreadable
 */
export function findOtherVersionOnDisk(
  running = runningVersion,
  root = projectRoot,
): InstalledVersion | null {
  try {
    const onDisk = readInstalledVersion(root)
    const rebuilt = running.build !== null && onDisk.build !== null && onDisk.build !== running.build
    return onDisk.version !== running.version || rebuilt ? onDisk : null
  } catch {
    return null
  }
}
