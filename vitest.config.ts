/** Configures the unit and server tests; the longest files begin first. */
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files of a minute, in the order of their length. Begun last, one of them would leave a core idle at the end. */
const longest = [
  'durability',
  'tests/appwrite/sdk',
  'storage/large-upload',
  'storage/upload-crash',
  'tests/fuzz',
  'database/embedded',
  'scripts/backup-restore',
  'rolling-restart',
  'route-metadata',
  'authorization/matrix',
  'race',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((part) => moduleId.includes(part))
      return found < 0 ? longest.length : found
    }
    return (await super.sort(files)).sort((one, other) => place(one) - place(other))
  }
}

export default defineConfig({
  test: {
    setupFiles: [
      './tests/support/quick-password-hash.ts',
      './tests/support/undo-stubs.ts',
      './tests/support/fail-on-spec-violations.ts',
    ],
    include: ['{contract,server,web,scripts,bench}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.component.test.tsx'],
    globalSetup: ['./tests/support/database.ts'],
    pool: 'forks',
    // Loading the server anew for each file took half of all the time.
    isolate: false,
    // They wait for databases and clocks more than they compute.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // These end a test that hangs. A verdict never depends on them, however slow the machine is.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
