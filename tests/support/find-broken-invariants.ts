import { type BrokenInvariant, findBrokenInvariants as brokenIn } from '#server/database/invariants.ts'
import type { Database } from '#server/database/open-database.ts'

export const findBrokenDatabaseInvariants = ({ pool }: Database): Promise<BrokenInvariant[]> => brokenIn(pool)
