import { existsSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { instanceKeyPath, type KeyComparison, readInstanceKey } from '../auth/instance-key.ts'
import type { Config } from '../config.ts'
import { choosePostgres } from '../database/choose-postgres-binaries.ts'
import { findEmbeddedPostgresUrl } from '../database/embedded-postgres.ts'
import { findBrokenInvariants } from '../database/invariants.ts'
import {
  type AppliedMigration,
  countMatchingMigrations,
  countShippedMigrations,
} from '../database/migrate.ts'
import { buildMissingDatabaseSettingStatements } from '../database/open-database.ts'
import { describeStartupError } from '../startup-error.ts'
import { answerTimeoutMs, type DoctorFinding, failure, ok, warning } from './doctor-finding.ts'
import { compareInstanceKey } from './find-key-problem.ts'

export async function checkDatabase(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return [describeStoppedEmbeddedDatabase(config)]
  const where = config.databaseUrl ? 'The database at DATABASE_URL' : 'The embedded database'
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    return [await checkDatabaseServer(client, where), ...(await checkSchema(client, where))]
  } catch (error) {
    return [failure(`${where} does not answer: ${(error as Error).message}.`)]
  } finally {
    await client.end().catch(() => {})
  }
}

/** The packaged PostgreSQL gets security fixes later than the system's. */
export async function checkPostgresOrigin(config: Config): Promise<DoctorFinding[]> {
  if (config.databaseUrl || !config.production) return []
  try {
    const { packaged, folder } = choosePostgres({ dataDir: config.dataDir, setting: config.postgresBin })
    if (!packaged) return [ok(`The database runs on the system's PostgreSQL in ${folder}.`)]
    return [
      warning(
        'The database runs on the packaged PostgreSQL, which gets security fixes later than a system package: install PostgreSQL of the same major version with its contrib extensions, or set DATABASE_URL.',
      ),
    ]
  } catch (error) {
    return [failure(String(describeStartupError(error)))]
  }
}

export async function checkPooler({ databaseUrl, databaseDirectUrl }: Config): Promise<DoctorFinding[]> {
  if (!databaseDirectUrl) return []
  const client = new Client({ connectionString: databaseUrl, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const missing = await buildMissingDatabaseSettingStatements(client)
    if (missing.length === 0)
      return [ok('The pooler at DATABASE_URL answers, and the database has the settings that Juntas needs.')]
    return [warning(`The database behind the pooler lacks these settings: ${missing.join('; ')}.`)]
  } catch (error) {
    return [failure(`The pooler at DATABASE_URL does not answer: ${(error as Error).message}.`)]
  } finally {
    await client.end().catch(() => {})
  }
}

function describeStoppedEmbeddedDatabase({ dataDir, postgresBin }: Config): DoctorFinding {
  const versionFile = join(dataDir, 'postgres', 'PG_VERSION')
  try {
    const { major } = choosePostgres({ dataDir, setting: postgresBin })
    if (!existsSync(versionFile))
      return ok(`There is no database yet; the first start creates one (PostgreSQL ${major}).`)
    return warning(
      'The embedded database is not running, so it was not checked: start Juntas, then check again.',
    )
  } catch (error) {
    return failure(String(describeStartupError(error)))
  }
}

async function checkDatabaseServer(client: Client, where: string): Promise<DoctorFinding> {
  const { rows } = await client.query<{
    version: string
    number: number
    encoding: string
    apart: number
    may: boolean
  }>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding,
       extract(epoch from clock_timestamp())::float8 - $1::float8 as apart,
       has_database_privilege(current_database(), 'create') as may`,
    [Date.now() / 1000],
  )
  const [{ version, number, encoding, apart, may }] = rows as [(typeof rows)[number]]
  if (number < 150_000) return failure(`${where} is PostgreSQL ${version}; Juntas needs 15 or newer.`)
  if (encoding !== 'UTF8') return failure(`${where} stores text as ${encoding}; Juntas needs UTF8.`)
  if (!may)
    return failure(`${where} does not let its user create tables: make the user the database's owner.`)
  if (Math.abs(apart) > 5) {
    return warning(
      `${where} and this machine have clocks ${apart.toFixed(0)} s apart: synchronise both with NTP.`,
    )
  }
  return ok(`${where} answers: PostgreSQL ${version}, clocks agree.`)
}

async function checkSchema(client: Client, where: string): Promise<DoctorFinding[]> {
  const { rows } = await client.query<{ there: boolean }>(
    `select to_regclass('public.migrations') is not null as there`,
  )
  if (!rows[0]?.there) return [ok(`${where} is empty; the first start creates its tables.`)]
  const { rows: applied } = await client.query<AppliedMigration>(
    'select number, name, checksum from migrations order by number',
  )
  let known: number
  try {
    known = countMatchingMigrations(applied)
  } catch (error) {
    return [failure(String(describeStartupError(error)))]
  }
  const missing = countShippedMigrations() - known
  return [
    missing > 0
      ? warning(`${missing} migrations are not applied yet; the next start applies them.`)
      : ok(`All ${known} migrations are applied.`),
  ]
}

/** The invariants describe only this version's schema. */
export async function checkInvariants(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<AppliedMigration>(
      'select number, name, checksum from migrations order by number',
    )
    if (countMatchingMigrations(rows) < countShippedMigrations()) return []
    const broken = await findBrokenInvariants(client)
    const [first] = broken
    return [
      first
        ? failure(
            `${broken.length} rows break an invariant, e.g. ${first.invariant} (${first.concerns}): npm run invariants.`,
          )
        : ok('All invariants hold.'),
    ]
  } catch {
    // A separate check reports an unreachable service or a different schema.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Counts the connected accounts that can sign nobody in, because their provider or its issuer is not
 * configured.
 */
export async function checkConnectedAccounts(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return []
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs })
  try {
    await client.connect()
    const { rows } = await client.query<{ provider: string; issuer: string; members: number }>(
      `select i.provider, i.issuer, count(distinct i.account_id)::int as members from identities i
       where i.issuer is not null and not exists (
         select from unnest($1::text[], $2::text[]) as p (name, issuer) where p.name = i.provider and p.issuer = i.issuer)
       group by 1, 2 order by 3 desc, 1, 2`,
      [config.oauth.map(({ name }) => name), config.oauth.map(({ issuer }) => issuer)],
    )
    return rows.map(({ provider, issuer, members }) =>
      warning(
        `Accounts connected to OAUTH_${provider.toUpperCase()} at ${issuer || 'an unknown issuer'}: ${members}. This issuer is not configured, so their members cannot sign in with them. See docs/self-hosting.md on sign-in with other accounts.`,
      ),
    )
  } catch {
    // A separate check reports an unreachable service or a different schema.
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

export async function checkInstanceKey(config: Config): Promise<DoctorFinding[]> {
  const url = config.databaseDirectUrl ?? config.databaseUrl ?? findEmbeddedPostgresUrl(config.dataDir)
  if (!url) return describeKeyOfStoppedDatabase(config)
  const compared = await compareInstanceKey(config, url)
  return [typeof compared === 'string' ? keyFindings[compared] : failure(compared.problem)]
}

const keyFindings: Record<KeyComparison, DoctorFinding> = {
  same: ok('The instance’s key is the one that seals its secrets.'),
  unused: ok('The database contains no secrets that were sealed with a key.'),
  unreachable: warning(
    'The instance’s key was not checked, because the database does not answer: check again when it does.',
  ),
}

/** Starting PostgreSQL only for this check would write to its files. */
function describeKeyOfStoppedDatabase(config: Config): DoctorFinding[] {
  if (!existsSync(join(config.dataDir, 'postgres', 'PG_VERSION'))) return []
  const path = instanceKeyPath(config.dataDir)
  const key = readInstanceKey(config)
  if (!key)
    return [
      warning(
        `${path} is missing, and the database is not running, so the doctor cannot tell whether it needs this key. If the instance had a key, put it back: a start without it stops before it changes anything.`,
      ),
    ]
  const name = config.secretKey === undefined ? path : 'SECRET_KEY'
  return [
    warning(
      `The key in ${name} was not compared with the database, which is not running: start Juntas. A start with another key stops before it changes anything.`,
    ),
  ]
}

export async function checkDatabasePasswordFile({ dataDir }: Config): Promise<DoctorFinding[]> {
  const path = join(dataDir, 'postgres-password')
  if (!existsSync(path) || process.platform === 'win32') return []
  const mode = statSync(path).mode & 0o077
  const readable = await readFile(path).then(
    () => true,
    () => false,
  )
  if (!readable)
    return [failure(`The current user cannot read ${path}: run this as the owner of ${dataDir}.`)]
  return mode === 0 ? [] : [failure(`Other users can read the database's password: run chmod 600 ${path}.`)]
}
