/** Unit and server tests; the longest files start first. */
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files taking a minute, longest first, so that no core idles at the end. */
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
    // Reloading the server per file took half of the time.
    isolate: false,
    // Tests mostly wait.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // Ends hung tests; verdicts never depend on it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 300_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
