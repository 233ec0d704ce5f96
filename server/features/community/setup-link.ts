import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import { hashSecretSha256 } from '../../auth/hash-secret.ts'
import type { DatabaseTables } from '../../database/schema.ts'

/** Each start of the server creates a link. */
const maxSetupLinks = 20

/**
 * Creates a link. Earlier links stay valid.
 * @returns the path, which contains the secret, or null after the set-up
 */
export async function issueCommunitySetupPath(db: Kysely<DatabaseTables>): Promise<string | null> {
  const secret = randomBytes(24).toString('base64url')
  const { rows } = await sql`
    insert into community as c (setup_hashes) values (array[${hashSecretSha256(secret)}::bytea])
    on conflict (only_row) do update
      set setup_hashes = (excluded.setup_hashes || c.setup_hashes)[1:${sql.lit(maxSetupLinks)}]
      where c.set_up_at is null
    returning 1`.execute(db)
  return rows.length === 0 ? null : `/setup/${secret}`
}
