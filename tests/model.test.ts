/** `npm run fuzz` runs many more; `FUZZ_SEED` repeats a run. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from './invariants.ts'
import { agree, emptyModel, type Real, sequences } from './model.ts'
import { jpeg } from './pictures.ts'
import { type World, world } from './world.ts'

const count = Number(process.env.FUZZ_SEQUENCES ?? 12)
/** The same every time in the gate: what it finds new is for `npm run fuzz` to find. */
const seed = Number(process.env.FUZZ_SEED ?? 20261121)

let w: World
let picture: Buffer
beforeAll(async () => {
  w = await world({ LIMITS: 'off' })
  picture = await jpeg()
})
afterAll(() => w.end())

test(
  `${count} sequences of three members at work (seed ${seed}): what each sees is what the model says, whenever they look`,
  async () => {
    let sequence = 0
    let steps = 0
    await fc.assert(
      fc.asyncProperty(sequences, async (doings) => {
        sequence += 1
        const people = [
          await w.join(`A${sequence}`),
          await w.join(`B${sequence}`),
          await w.join(`C${sequence}`),
        ]
        const real: Real = { people, pictures: (who) => who.upload(picture) }
        const model = emptyModel()
        await fc.asyncModelRun(() => ({ model, real }), doings)
        await agree(model, real)
        steps += [...doings].length
      }),
      { numRuns: count, seed },
    )
    expect(await brokenInvariants(w.database)).toEqual([])
    console.log(`${sequence} sequences, ${steps} doings (seed ${seed})`)
  },
  60_000 + count * 10_000,
)
