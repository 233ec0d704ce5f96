/**
 * Records in the outbox those changes of an account that belong to no collection: verification and recovery
 * secrets, and the member's files. Call it in the transaction of the change.
 */
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DatabaseTables } from '../database/schema.ts'

/** No row has this key. Nodes of an earlier version look the key up among the sessions. */
const noRow = sql.lit(0)

/**
 * Records that a secret was created or used. If there is no account, the same statement records nothing, so
 * that the response time does not reveal whether an account exists.
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

/** Records that a file was completed, renamed or deleted. */
export async function recordFileChange(
  db: Kysely<DatabaseTables>,
  kind: 'create' | 'update' | 'delete',
  id: number,
): Promise<void> {
  await buildFileChangesStatement(kind, sql`(select * from files where id = ${id})`).execute(db)
}

/**
 * Records a change of files for their uploaders, with the files' current state.
 * @param files a relation with the columns of `files`
 */
export const buildFileChangesStatement = (
  kind: 'create' | 'update' | 'delete',
  files: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  insert into changes (collection, kind, row_id, public_id, account_id, state)
  select 'files', ${kind}, ${noRow}, f.public_id, owner.account_id, to_jsonb(f) - '{storage_key,sha256,thumbhash}'::text[]
  from ${files} as f join users owner on owner.id = f.owner_id`
