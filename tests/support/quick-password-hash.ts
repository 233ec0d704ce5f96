/**
 * Hashes passwords with argon2id at its least cost; at the product's each member of a test takes 30 ms of processor time for
 * them. The test of the product's cost stubs `TEST_PASSWORD_COST=full`.
 */
import { vi } from 'vitest'

vi.mock('@node-rs/argon2', async (importOriginal) => {
  const argon2 = await importOriginal<typeof import('@node-rs/argon2')>()
  const hash: typeof argon2.hash = (password, options, signal) =>
    argon2.hash(
      password,
      process.env.TEST_PASSWORD_COST === 'full' ? options : { ...options, memoryCost: 64, timeCost: 1 },
      signal,
    )
  return { ...argon2, hash }
})
