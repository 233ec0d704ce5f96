/** `npm run fuzz` sends a million requests. `FUZZ_SEED` repeats a run. */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signUpAndSignIn } from '#api-client/member-client.ts'
import { findBrokenDatabaseInvariants } from '../support/find-broken-invariants.ts'
import { createTestWorld, type TestWorld, testPassword } from '../support/world.ts'
import { type HttpFuzzContext, httpFuzzCaseArbitrary, prepareHttpFuzz, runHttpFuzzCase } from './http-fuzz.ts'

const count = Number(process.env.FUZZ_CASES ?? 8_000)
/** The seed is fixed, so runs are reproducible. `npm run fuzz` uses random seeds. */
const seed = Number(process.env.FUZZ_SEED ?? 20261121)
const lanes = 8
/** The allowed memory growth in bytes. */
const mostKept = 50_000_000

const sharedKeys = Reflect.ownKeys(Object.prototype)

let w: TestWorld
let stage: HttpFuzzContext
beforeAll(async () => {
  w = await createTestWorld({ LIMITS: 'off', REMOTE_IMAGES: 'off' })
  stage = await prepareHttpFuzz(w)
})
afterAll(() => w.end())

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

function memory(): number {
  for (let times = 0; times < 3; times += 1) collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

test(
  `D06 each of ${count} malformed requests gets a well-formed response, and no request breaks anything`,
  async () => {
    const statuses = new Map<number, number>()
    const arbitrary = httpFuzzCaseArbitrary(stage)
    const run = async (lane: number, runs: number) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (one) => {
          const status = await runHttpFuzzCase(stage, one)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          if (status === 401) await comeBack(one.who)
        }),
        { numRuns: runs, seed: seed * lanes + lane, verbose: 0, endOnFailure: true },
      )
    }
    const runAll = (runs: number) =>
      Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane, Math.ceil(runs / lanes))))
    // Warms up caches and the compiler before measuring memory.
    await runAll(Math.min(2000, count / 10))
    const before = memory()
    const began = performance.now()
    await runAll(count)
    const grown = memory() - before
    const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, times]) => `${status}: ${times}`)
    console.log(
      `${count} requests (seed ${seed}) to ${stage.routes.length} routes in ${((performance.now() - began) / 1000).toFixed(1)} s, ` +
        `${(grown / 1e6).toFixed(1)} MB kept; ${counts.join(', ')}`,
    )
    expect(grown).toBeLessThan(mostKept)
    expect(await findBrokenDatabaseInvariants(w.database)).toEqual([])
    expect(Reflect.ownKeys(Object.prototype)).toEqual(sharedKeys)
  },
  600_000 + count * 15,
)

let newcomers = 0
async function comeBack(who: number): Promise<void> {
  const person = stage.people[who]
  if (!person) return
  if ((await person.request('GET', '/v1/me')).status !== 401) return
  newcomers += 1
  const username = `nueva${newcomers}`
  stage.people[who] = await signUpAndSignIn(w.app, {
    name: 'Nueva',
    username,
    email: `${username}@juntas.test`,
    password: testPassword,
  })
}
