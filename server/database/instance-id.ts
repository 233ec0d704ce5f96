import type { Database } from './open-database.ts'

/** Reads what tells this instance from another one on the same Redis. */
export async function readInstanceId({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const { id } = await kysely
    .insertInto('instance')
    .defaultValues()
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ only_row: true }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
