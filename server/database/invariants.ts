/** What must always be true of the data (invariants.sql), asked of a database. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'

const invariants = readFileSync(join(import.meta.dirname, 'invariants.sql'), 'utf8')

export type Broken = { invariant: string; concerns: string }

/** Every broken invariant with the row it concerns; a healthy database has none. */
export async function brokenInvariants(db: ClientBase | Pool): Promise<Broken[]> {
  const { rows } = await (db as Pool).query<Broken>(invariants)
  return rows
}
