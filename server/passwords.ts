/**
 * Password hashes: argon2id with 19 MiB, two passes, one lane, which is ≈ 15 ms of CPU (security reference M11). At most
 * two run at once and fifty wait, so that sign-in attempts cannot take the machine.
 */
import { hash, verify } from '@node-rs/argon2'
import { fail } from './errors.ts'
import { type Known, refuseCommon, refusePersonal } from './guessable-passwords.ts'
import { createTurns } from './turns.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const turns = createTurns({
  atOnce: 2,
  waiting: 50,
  full: () => fail('general_service_unavailable', { retryAfter: 5 }),
})

/** Stands in for the hash of an address nobody has, so that a stranger cannot tell by the time (reference S03). */
const nobodysHash = hash('nobody has this password', cost)

/**
 * Of a password that somebody chooses.
 * @param known whose it becomes; null where only what follows tells, and `refusePersonal` is asked there
 * @throws Failure 400 for one that is guessed first
 */
export async function hashPassword(password: string, known: Known | null): Promise<string> {
  await refuseCommon(password)
  if (known) refusePersonal(password, known)
  return turns(() => hash(password, cost))
}

/** @param stored null when there is no such account or it has no password: takes as long and is false. */
export const passwordMatches = (stored: string | null, password: string): Promise<boolean> =>
  turns(async () => (await verify(stored ?? (await nobodysHash), password)) && stored !== null)
