/** Checks what must always be true of the data (invariants.sql). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'

const invariants = readFileSync(join(import.meta.dirname, 'invariants.sql'), 'utf8')

export type BrokenInvariant = { invariant: string; concerns: string }

/** Returns every broken invariant with the row it concerns; none for a healthy database. */
export async function findBrokenInvariants(db: ClientBase | Pool): Promise<BrokenInvariant[]> {
  const { rows } = await (db as Pool).query<BrokenInvariant>(invariants)
  return rows
}
