/** Volumes are small, so that a test can fill them. Requires root on Linux. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'

export type TmpfsVolume = {
  fill(): void
  free(): void
  end(): void
}

const margin = 4_000_000
const piece = Buffer.alloc(4096)

/** @param megabytes the volume's size @returns undefined if the system cannot mount the volume */
export function mountTmpfsVolume(folder: string, megabytes: number): TmpfsVolume | undefined {
  mkdirSync(folder, { recursive: true })
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return undefined
  if (!run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', folder)) return undefined
  const ballast = join(folder, 'ballast')
  return {
    fill() {
      const { bavail, bsize } = statfsSync(folder)
      run('fallocate', '-l', String(Math.max(bsize, bavail * bsize - margin)), ballast)
      // Writes small blocks until ENOSPC, because the server writes at the same time.
      const file = openSync(ballast, 'a')
      try {
        for (;;) writeSync(file, piece)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    end: () => void run('umount', '-l', folder),
  }
}

const run = (program: string, ...args: string[]) => spawnSync(program, args, { stdio: 'ignore' }).status === 0
