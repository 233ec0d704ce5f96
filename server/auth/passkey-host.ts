/** The host is WebAuthn's RP ID. If it changed, all members would lose their passkeys. */
import { isIP } from 'node:net'
import { type Kysely, sql } from 'kysely'
import type { Config } from '../config.ts'
import type { DatabaseTables } from '../database/schema.ts'
import { isLoopbackName } from '../loopback-name.ts'
import { StartupError } from '../startup-error.ts'

/**
 * Null if browsers cannot create passkeys: they require https or localhost, and never accept an IP address.
 */
export function getPasskeyHost({ publicUrl }: Pick<Config, 'publicUrl'>): string | null {
  const { protocol, hostname } = new URL(publicUrl ?? 'http://localhost')
  const isSecure = protocol === 'https:' || isLoopbackName(hostname)
  return isSecure && isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? hostname : null
}

/** @throws StartupError naming the former host and the number of lost passkeys */
export async function assertPasskeyHostUnchanged(config: Config, db: Kysely<DatabaseTables>): Promise<void> {
  const host = getPasskeyHost(config)
  // The server starts even if the database is unreachable.
  const { rows } = await selectPasskeysOfOtherHosts(db, host).catch(() => ({ rows: [] }))
  const [other] = rows
  if (!other) return
  throw new StartupError(
    `PUBLIC_URL is ${config.publicUrl ?? 'http://localhost'}, but members’ passkeys were made for ${other.rp_id} and work there ` +
      `alone: ${other.passkeys} passkeys of ${other.accounts} members would be lost. Put the old host back, or, if it is gone, ` +
      'run `npm run account -- new-host`: it removes them, and their members sign in by other ways.',
  )
}

export async function removePasskeysOfOtherHosts(
  config: Pick<Config, 'publicUrl'>,
  db: Kysely<DatabaseTables>,
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from passkeys where rp_id is distinct from ${getPasskeyHost(config)}`.execute(db)
  return Number(numAffectedRows)
}

const selectPasskeysOfOtherHosts = (db: Kysely<DatabaseTables>, host: string | null) =>
  sql<{ rp_id: string; passkeys: number; accounts: number }>`
    select rp_id, count(*)::int as passkeys, count(distinct account_id)::int as accounts from passkeys
    where rp_id is distinct from ${host} group by rp_id order by 2 desc, 1 limit 1`.execute(db)
