/** Lowers the costs, because production's take 30 ms per member. `TEST_PASSWORD_COST=full` restores them. */
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
