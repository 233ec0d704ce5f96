/** What must always be true of the data, asked after races and faults (server/database/invariants.sql). */
import { type Broken, brokenInvariants as brokenIn } from '#server/database/invariants.ts'
import type { Database } from '#server/database/open.ts'

export const brokenInvariants = ({ pool }: Database): Promise<Broken[]> => brokenIn(pool)
