/** The running version, and whether another one lies on disk. Nothing is asked of any other machine. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** `build` names the sources of dist/; null without a build. */
export type InstalledVersion = { version: string; build: string | null }

/** scripts/build-server.ts writes true; sources run directly have no build. */
export const isBuilt = false

const projectRoot = join(import.meta.dirname, '..')

/** @param root of the project */
export function readInstalledVersion(root = projectRoot): InstalledVersion {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
  return { version, build: readBuild(root) }
}

/** The first digits of a hash over both parts' stamps, which hash their sources (ops/source-hash.mjs). */
function readBuild(root: string): string | null {
  try {
    const stamps = ['web', 'server'].map((part) => readFileSync(join(root, 'dist', `${part}.stamp`), 'utf8'))
    return createHash('sha256').update(stamps.join('\n')).digest('hex').slice(0, 12)
  } catch {
    return null
  }
}

const atStart = readInstalledVersion()

/** Read when the process started. */
export const runningVersion: InstalledVersion = isBuilt ? atStart : { ...atStart, build: null }

/** Version and build in one word: `0.1.0+1a2b3c4d5e6f`. */
export const describeVersion = ({ version, build }: InstalledVersion): string =>
  build ? `${version}+${build}` : version

/**
 * Compares the files on disk with the running process. A build in progress has no stamp and is no difference.
 * @returns what a restart would run; null if that is the same, or the files cannot be read
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
