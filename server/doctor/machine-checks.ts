import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { dirname, join } from 'node:path'
import type { Config } from '../config.ts'
import { findOutdatedParts } from '../ops/source-hash.mjs'
import { describeVersion, findOtherVersionOnDisk, readInstalledVersion, runningVersion } from '../version.ts'
import { type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'

const GB = 1e9
/**
 * Uploads leave `reserve` free (server/blobs/disk-blob-store.ts). Below `earlyShare`, the doctor warns (fault
 * T10).
 */
const reserve = { share: 0.1, bytes: 2 * GB }
const earlyShare = 0.2

export async function checkRunningVersion(): Promise<DoctorFinding> {
  const other = findOtherVersionOnDisk()
  return other
    ? warning(
        `Juntas ${describeVersion(runningVersion)} is running, but ${describeVersion(other)} is installed: restart it.`,
      )
    : ok(`This is Juntas ${describeVersion(readInstalledVersion())}.`)
}

const projectRoot = join(import.meta.dirname, '..', '..')

/** `npm start` builds by itself, so in development a missing build is no problem. */
export async function checkBuild(
  { production }: Pick<Config, 'production'>,
  root = projectRoot,
): Promise<DoctorFinding[]> {
  const outdated = findOutdatedParts(root)
  if (outdated.length === 0) return []
  const built = outdated.filter((part) => existsSync(join(root, 'dist', part)))
  if (built.length > 0)
    return [
      warning(
        `dist/ was built from other sources (${outdated.join(', ')}): run \`npm run build\`, then restart Juntas.`,
      ),
    ]
  return production ? [warning('dist/ is missing: run `npm run build` before you start Juntas.')] : []
}

export async function checkMachine(): Promise<DoctorFinding[]> {
  const major = Number(process.versions.node.split('.')[0])
  const memory = totalmem() / GB
  return [
    major >= 26
      ? ok(`Node is ${process.versions.node}.`)
      : failure(`Node is ${process.versions.node}, and Juntas needs 26: npm run doctor brings its own.`),
    memory >= 1
      ? ok(`There are ${memory.toFixed(1)} GB of memory.`)
      : warning(`There are ${memory.toFixed(1)} GB of memory; decoding a large picture needs 0.6 GB.`),
  ]
}

export async function checkDataFolder({ dataDir }: Config): Promise<DoctorFinding[]> {
  const standing = nearestExistingFolder(dataDir)
  try {
    accessSync(standing, constants.W_OK | constants.X_OK)
  } catch {
    return [
      failure(`The current user cannot write to ${standing}, which contains DATA_DIR: change its owner.`),
    ]
  }
  const found: DoctorFinding[] = []
  const { bavail, blocks, bsize } = await statfs(standing)
  const [free, share] = [bavail * bsize, bavail / blocks]
  const kept = Math.min(blocks * bsize * reserve.share, reserve.bytes)
  const sentence = `${(free / GB).toFixed(1)} GB are free on the disk of DATA_DIR (${Math.round(share * 100)} %)`
  if (free < kept) found.push(failure(`${sentence}: uploads are refused below ${(kept / GB).toFixed(1)} GB.`))
  else found.push(share < earlyShare ? warning(`${sentence}: free some space soon.`) : ok(`${sentence}.`))
  const open = existsSync(dataDir) && process.platform !== 'win32' && (statSync(dataDir).mode & 0o007) !== 0
  if (open) found.push(warning(`Every user of this machine can read ${dataDir}: run chmod o-rwx ${dataDir}.`))
  return found
}

export function nearestExistingFolder(path: string): string {
  return existsSync(path) ? path : nearestExistingFolder(dirname(path))
}
