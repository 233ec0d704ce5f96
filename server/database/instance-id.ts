import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from './open-database.ts'
import type { DatabaseTables } from './schema.ts'

/** The id distinguishes instances that share a Redis. */
export async function readInstanceId({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const { id } = await kysely
    .insertInto('instance')
    .defaultValues()
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ only_row: true }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** 32 random bytes that all nodes share and that never leave the database. The first call creates them. */
export async function loadInstanceSecret(db: Kysely<DatabaseTables>): Promise<Buffer> {
  const { rows } = await sql<{ position_key: Buffer }>`
    insert into instance as i (position_key) values (${randomBytes(32)})
    on conflict (only_row) do update set position_key = coalesce(i.position_key, excluded.position_key)
    returning position_key`.execute(db)
  return (rows[0] as (typeof rows)[number]).position_key
}
