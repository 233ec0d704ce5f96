/** `npm run fuzz [requests] [seed]` fuzzes every route, and sequences of operations by members. */
import { runPackageProgram } from './run-tool.ts'

const [requests = '1000000', seed = String(Date.now() % 2 ** 31)] = process.argv.slice(2)
const { status } = await runPackageProgram(
  'vitest',
  'vitest',
  ['run', 'tests/fuzz/http-fuzz.test.ts', 'tests/fuzz/model.test.ts'],
  {
    show: true,
    env: {
      FUZZ_CASES: requests,
      FUZZ_SEQUENCES: String(Math.ceil(Number(requests) / 500)),
      FUZZ_SEED: seed,
    },
  },
)
process.exitCode = status
