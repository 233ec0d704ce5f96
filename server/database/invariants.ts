import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientBase, Pool } from 'pg'

const invariants = readFileSync(join(import.meta.dirname, 'invariants.sql'), 'utf8')

export type BrokenInvariant = { invariant: string; concerns: string }

export async function findBrokenInvariants(db: ClientBase | Pool): Promise<BrokenInvariant[]> {
  const { rows } = await (db as Pool).query<BrokenInvariant>(invariants)
  return rows
}
