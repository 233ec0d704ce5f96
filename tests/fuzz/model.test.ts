/** `npm run fuzz` runs many more commands. `FUZZ_SEED` repeats a run. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJpeg } from '#scripts/harness/image-fixtures.ts'
import { findBrokenDatabaseInvariants } from '../support/find-broken-invariants.ts'
import { createTestWorld, type TestWorld } from '../support/world.ts'
import { createEmptyFuzzModel, expectServerMatchesModel, fuzzCommandSequences } from './model.ts'
import type { FuzzRealSystem } from './model-state.ts'

const count = Number(process.env.FUZZ_SEQUENCES ?? 6)
/** The seed is fixed, so runs are reproducible. `npm run fuzz` uses random seeds. */
const seed = Number(process.env.FUZZ_SEED ?? 20261121)

let w: TestWorld
let picture: Buffer
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off' })
  picture = await createJpeg()
})
afterAll(() => w.end())

test(
  `in ${count} sequences of three members' actions (seed ${seed}), each member always sees what the model predicts`,
  async () => {
    let sequence = 0
    let steps = 0
    await fc.assert(
      fc.asyncProperty(fuzzCommandSequences, async (doings) => {
        sequence += 1
        const people = [
          await w.join(`A${sequence}`),
          await w.join(`B${sequence}`),
          await w.join(`C${sequence}`),
        ]
        const real: FuzzRealSystem = { people, pictures: (who) => who.upload(picture) }
        const model = createEmptyFuzzModel()
        await fc.asyncModelRun(() => ({ model, real }), doings)
        await expectServerMatchesModel(model, real)
        steps += [...doings].length
      }),
      { numRuns: count, seed },
    )
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
    console.log(`${sequence} sequences, ${steps} doings (seed ${seed})`)
  },
  600_000 + count * 10_000,
)
