/** Contacts no other machine. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `build` identifies the sources of dist/. Null without a build. */
export type InstalledVersion = { version: string; build: string | null }

/** scripts/build-server.ts replaces this with true. Sources that run directly have no build. */
export const isBuilt = false

const projectRoot = join(import.meta.dirname, '..')

/** @param root the project's folder */
export function readInstalledVersion(root = projectRoot): InstalledVersion {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, build: readBuild(root) }
}

/** Combines the stamps of both parts, which are hashes of their sources (ops/source-hash.mjs). */
function readBuild(root: string): string | null {
  try {
    const stamps = ['web', 'server'].map((part) => readFileSync(join(root, 'dist', `${part}.stamp`), 'utf8'))
    return createHash('sha256').update(stamps.join('\n')).digest('hex').slice(0, 12)
  } catch {
    return null
  }
}

const atStart = readInstalledVersion()

/** When the process started. */
export const runningVersion: InstalledVersion = isBuilt ? atStart : { ...atStart, build: null }

/** In one word: `0.1.0+1a2b3c4d5e6f`. */
export const describeVersion = ({ version, build }: InstalledVersion): string =>
  build ? `${version}+${build}` : version

/**
 * Compares the files on disk with the running process. A missing stamp does not count as a difference,
 * because a build may be in progress.
 * @returns the version that a restart would run; null if it is the same or the files cannot be read
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
