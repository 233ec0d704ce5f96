/** `RACE_ROUNDS` sets the number of rounds. After each, the invariants must hold. */
import { expect } from 'vitest'
import type { ApiResponse } from '#api-client/member-client.ts'
import type { Database } from '#server/database/open-database.ts'
import { findBrokenDatabaseInvariants } from './find-broken-invariants.ts'

const rounds = Number(process.env.RACE_ROUNDS ?? 3)

export const raceTimeoutMs = 600_000 + rounds * 10_000

/** @param round returns the concurrent calls; the answers have the same order */
export async function runRaceRounds(
  database: Database,
  round: (number: number) => Promise<(() => Promise<ApiResponse>)[]>,
  judge: (answers: ApiResponse[]) => Promise<void> | void,
): Promise<void> {
  for (let number = 0; number < rounds; number += 1) {
    const contenders = await round(number)
    const answers = await Promise.all(contenders.map((contender) => contender()))
    const unforeseen = answers.filter((answer) => answer.status >= 500)
    expect(unforeseen.map((answer) => answer.body)).toEqual([])
    await judge(answers)
    expect(await findBrokenDatabaseInvariants(database)).toEqual([])
  }
}

export function countResponsesByStatus(answers: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export const createArrayByIndex = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n))
