/**
 * These are OWASP's minimum parameters, about 15 ms of CPU. Two hashes run at once and fifty wait, so that
 * sign-in attempts cannot exhaust the machine.
 */
import { hash, verify } from '@node-rs/argon2'
import pLimit from 'p-limit'
import { throwFailure } from '../errors.ts'
import { type PersonalDetails, refuseCommonPassword, refusePersonalPassword } from './password-policy.ts'

const argon2Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
const limit = pLimit(2)
const maxWaiting = 50

/**
 * This hash is checked if there is no account, so that the response time does not reveal whether one exists.
 */
export const dummyHash = hash('nobody has this password', argon2Options)

/**
 * @param known null if the caller calls `refusePersonalPassword` later
 * @throws Failure 400 for a common password or one made of personal details, 503 if too many hashes wait
 */
export async function checkAndHashNewPassword(
  password: string,
  known: PersonalDetails | null,
): Promise<string> {
  await refuseCommonPassword(password)
  if (known) refusePersonalPassword(password, known)
  return runLimited(() => hash(password, argon2Options))
}

/** @param stored null takes as long and returns false */
export const verifyPassword = (stored: string | null, password: string): Promise<boolean> =>
  runLimited(async () => (await verify(stored ?? (await dummyHash), password)) && stored !== null)

async function runLimited<T>(work: () => Promise<T>): Promise<T> {
  if (limit.pendingCount >= maxWaiting) throwFailure('general_service_unavailable', { retryAfter: 5 })
  return limit(work)
}
