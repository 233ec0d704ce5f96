/**
 * Records in the outbox what concerns one account alone and is no row of a collection: letters and codes that verify
 * or recover it, and the files of its member. Call it in the transaction of the change.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** No key of any row: a node of an earlier version looks it up among the sessions. */
const noRow = sql.lit(0)

/**
 * Records that a letter or a code was made or used. One that belongs to no account records nothing, by the same statement, so
 * that the response time does not tell whether an account exists.
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

/** Records that a file is complete, was renamed or is gone. */
export async function recordFileChange(
  db: Kysely<DatabaseTables>,
  kind: 'create' | 'update' | 'delete',
  id: number,
): Promise<void> {
  await buildFileChangesStatement(kind, sql`(select * from files where id = ${id})`).execute(db)
}

/**
 * Renders the statement that records a change of files for those who uploaded them, with the files as they are.
 * @param files a relation with the columns of `files`
 */
export const buildFileChangesStatement = (
  kind: 'create' | 'update' | 'delete',
  files: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes (collection, kind, row_id, public_id, account_id, state)
  select 'files', ${kind}, ${noRow}, f.public_id, owner.account_id, to_jsonb(f) - '{storage_key,sha256,thumbhash}'::text[]
  from ${files} as f join users owner on owner.id = f.owner_id`
