import { type DBSchema, type IDBPDatabase, openDB } from 'idb'

/**
 * An open database cannot be deleted, so each use opens it.
 * @param create creates the object stores of version 1
 * @returns null without a database, or if it refuses `work`
 */
export async function withIndexedDatabase<Schema extends DBSchema, Answer>(
  name: string,
  create: (db: IDBPDatabase<Schema>) => void,
  work: (db: IDBPDatabase<Schema>) => Promise<Answer>,
): Promise<Answer | null> {
  let db: IDBPDatabase<Schema> | undefined
  try {
    db = await openDB<Schema>(name, 1, { upgrade: create })
    return await work(db)
  } catch {
    return null
  } finally {
    db?.close()
  }
}
