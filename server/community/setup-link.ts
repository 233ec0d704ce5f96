/** The link by which the operator of an empty instance sets it up. */
import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'
import { hashSecretSha256 } from '../hash-secret.ts'

/**
 * Makes the link of an instance without any account. The one of an earlier start stops working.
 * @returns the path, with its secret; null once there is an account
 */
export async function issueCommunitySetupPath(db: Kysely<DatabaseTables>): Promise<string | null> {
  const secret = randomBytes(24).toString('base64url')
  const { rows } = await sql`
    insert into community as c (setup_hash) select ${hashSecretSha256(secret)} where not exists (select from accounts)
    on conflict (only_row) do update set setup_hash = excluded.setup_hash returning 1`.execute(db)
  return rows.length === 0 ? null : `/setup/${secret}`
}
