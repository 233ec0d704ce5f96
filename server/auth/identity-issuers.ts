/**
 * Stores which issuer an identity belongs to. A subject is unique only at its issuer, so after a change of issuer the
 * same subject may be somebody else.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Config } from '../config.ts'
import type { DatabaseTables } from '../database/schema.ts'
import type { ServerLogger } from '../log.ts'

type Providers = Pick<Config, 'oauth'>

/** The configured providers as a table of `name` and `issuer`. */
const providerTable = ({ oauth }: Providers) =>
  sql`unnest(${oauth.map(({ name }) => name)}::text[], ${oauth.map(({ issuer }) => issuer)}::text[]) as p (name, issuer)`

/** Whether the identity in `i` can sign in: its provider is configured with the issuer that the identity belongs to. */
export const isIdentityUsable = (config: Providers): RawBuilder<boolean> =>
  sql<boolean>`exists (select from ${providerTable(config)} where p.name = i.provider and p.issuer = i.issuer)`

/**
 * Gives identities that have no issuer the configured one. Identities of a provider that is not configured get '', which
 * matches no issuer, so that a later configuration cannot claim them. During a rolling restart, nodes of the previous
 * version add identities without an issuer, so each start does this.
 */
export async function storeIssuersOfEarlierIdentities(
  config: Providers,
  db: Kysely<DatabaseTables>,
  log: ServerLogger,
): Promise<void> {
  try {
    await sql`
      update identities i set issuer = coalesce((select p.issuer from ${providerTable(config)} where p.name = i.provider), '')
      where i.issuer is null`.execute(db)
  } catch (error) {
    // The server starts even if the database is unreachable. The next start tries again.
    log.warn({ err: error }, 'the issuers of earlier connected accounts were not stored')
  }
}
