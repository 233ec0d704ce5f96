/** Call these functions in the transaction of the change. */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** No row has this key. Nodes of an earlier version look it up among the sessions. */
const noRow = sql.lit(0)

/**
 * If there is no account, runs the same statement, so that the response time does not reveal whether one
 * exists.
 */
export async function recordTokenChange(
  db: Kysely<DatabaseTables>,
  kind: 'create' | 'update',
  about: 'verification' | 'recovery',
  token: { public_id: string },
): Promise<void> {
  await sql`
    insert into changes (collection, kind, row_id, public_id, account_id, state)
    select 'tokens', ${kind}, ${noRow}, t.public_id, t.account_id, jsonb_build_object('about', ${about}::text) from tokens t
    where t.public_id = ${token.public_id} and t.account_id is not null`.execute(db)
}

export async function recordFileChange(
  db: Kysely<DatabaseTables>,
  kind: 'create' | 'update' | 'delete',
  id: number,
): Promise<void> {
  await buildFileChangesStatement(kind, sql`(select * from files where id = ${id})`).execute(db)
}

export const buildFileChangesStatement = (
  kind: 'create' | 'update' | 'delete',
  files: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes (collection, kind, row_id, public_id, account_id, state)
  select 'files', ${kind}, ${noRow}, f.public_id, owner.account_id, to_jsonb(f) - '{storage_key,sha256,thumbhash}'::text[]
  from ${files} as f join users owner on owner.id = f.owner_id`
