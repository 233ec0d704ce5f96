import type { Database } from './open-database.ts'

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
