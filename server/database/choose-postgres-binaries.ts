/**
 * The operating system keeps its own PostgreSQL up to date, so that installation is preferred (decision
 * 0228).
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { StartupError } from '#server/startup-error.ts'
import { type EmbeddedPostgresBinaries, findEmbeddedPostgresBinaries } from './embedded-postgres-binaries.ts'

/** This value of `POSTGRES_BIN` rules out the system's PostgreSQL. */
export const packagedPostgres = 'packaged'

/** This is the first major version with the builtin collation, which sorts identically in every build. */
const oldestMajor = 17

/** Packages install each major version as `folder/name/bin`. */
const systemPlaces: readonly SystemPlace[] = [
  { folder: '/usr/lib/postgresql', name: /^\d+$/ },
  { folder: '/usr', name: /^pgsql-\d+$/ },
  { folder: '/opt/homebrew/opt', name: /^postgresql@\d+$/ },
  { folder: '/usr/local/opt', name: /^postgresql@\d+$/ },
]

type SystemPlace = { folder: string; name: RegExp }

/**
 * Chooses `POSTGRES_BIN`, otherwise the system's newest suitable PostgreSQL, otherwise the packaged programs.
 * @param options.dataDir its database fixes the major version
 * @param options.setting `POSTGRES_BIN`
 * @throws StartupError if the setting names no program that runs here, or npm has no package for this
 * platform
 */
export function choosePostgres({
  dataDir,
  setting,
  places = systemPlaces,
}: {
  dataDir: string
  setting?: string | undefined
  places?: readonly SystemPlace[]
}): EmbeddedPostgresBinaries {
  if (setting === packagedPostgres) return findEmbeddedPostgresBinaries()
  const required = readClusterMajor(dataDir)
  if (setting !== undefined) return checkGiven(setting, required)
  const fits = ({ major }: EmbeddedPostgresBinaries) => required === null || major === required
  const [newest] = places
    .flatMap(listInstalled)
    .filter((found) => Number(found.major) >= oldestMajor && hasExtensions(found) && fits(found))
    .sort((a, b) => Number(b.major) - Number(a.major))
  return newest ?? findEmbeddedPostgresBinaries()
}

function readClusterMajor(dataDir: string): string | null {
  const file = join(dataDir, 'postgres', 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null
}

function checkGiven(folder: string, required: string | null): EmbeddedPostgresBinaries {
  const found = readInstalled(folder)
  const refuse = (why: string): never => {
    throw new StartupError(`POSTGRES_BIN: ${why}`)
  }
  if (!found) return refuse(`${folder} has no initdb and postgres that run.`)
  if (Number(found.major) < oldestMajor)
    return refuse(`${folder} has PostgreSQL ${found.major}; Juntas needs ${oldestMajor} or newer.`)
  if (required !== null && found.major !== required)
    return refuse(`${folder} has PostgreSQL ${found.major}, and the database was made by ${required}.`)
  if (!hasExtensions(found))
    return refuse(
      `${folder} lacks the extensions pg_trgm and btree_gin: install PostgreSQL's contrib package.`,
    )
  return found
}

function listInstalled({ folder, name }: SystemPlace): EmbeddedPostgresBinaries[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((entry) => name.test(entry))
    .flatMap((entry) => readInstalled(join(folder, entry, 'bin')) ?? [])
}

function readInstalled(bin: string): EmbeddedPostgresBinaries | null {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  if (!['initdb', 'postgres'].every((program) => existsSync(join(bin, `${program}${suffix}`)))) return null
  try {
    const said = execFileSync(join(bin, `postgres${suffix}`), ['--version'], {
      encoding: 'utf8',
      timeout: 10_000,
    })
    const [, major] = /\(PostgreSQL\) (\d+)\.\d/.exec(said) ?? []
    return major === undefined ? null : { folder: dirname(bin), major, packaged: false }
  } catch {
    return null
  }
}

/** Some systems package extensions separately. */
function hasExtensions({ folder, major }: EmbeddedPostgresBinaries): boolean {
  const shares = [
    join(folder, 'share', 'extension'),
    join(folder, 'share', 'postgresql', 'extension'),
    join(folder, 'share', `postgresql@${major}`, 'extension'),
    `/usr/share/postgresql/${major}/extension`,
  ]
  return shares.some((share) =>
    ['pg_trgm', 'btree_gin'].every((extension) => existsSync(join(share, `${extension}.control`))),
  )
}
