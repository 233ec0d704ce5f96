import { expect, test, vi } from 'vitest'
import { checkAndHashNewPassword, dummyHash, verifyPassword } from './password-hash.ts'

test('D07 if sixty password checks arrive at once, two run, fifty wait and eight are asked to retry', async () => {
  const attempts = Array.from({ length: 60 }, () => verifyPassword(null, 'any of these'))
  const outcomes = await Promise.allSettled(attempts)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused).toHaveLength(8)
  for (const { reason } of refused) {
    expect(reason).toMatchObject({ type: 'general_service_unavailable', status: 503, retryAfter: 5 })
  }
  expect(
    outcomes.filter((outcome) => outcome.status === 'fulfilled' && outcome.value === false),
  ).toHaveLength(52)
})

test('S16 a password is stored as argon2id with 19 MiB and two passes, and matches only exactly as typed', async () => {
  vi.stubEnv('TEST_PASSWORD_COST', 'full')
  const stored = await checkAndHashNewPassword('Contraseña larga', null)
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(await verifyPassword(stored, 'Contraseña larga')).toBe(true)
  for (const other of ['contraseña larga', 'Contraseña larga ', 'Contraseña larga'.normalize('NFD')]) {
    expect(await verifyPassword(stored, other)).toBe(false)
  }
})

test('S03 verifying a password without an account costs as much as with one', async () => {
  vi.unstubAllEnvs()
  const costOf = (stored: string) => stored.split('$', 4)
  expect(costOf(await dummyHash)).toEqual(costOf(await checkAndHashNewPassword('Contraseña larga', null)))
})
