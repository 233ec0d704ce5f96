import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    setupFiles: ['./tests/appwrite/every-answer.ts'],
    include: ['{contract,server,web,scripts,bench}/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
    globalSetup: ['./tests/database.ts'],
    pool: 'forks',
    maxWorkers: 2,
    execArgv: ['--disable-warning=ExperimentalWarning'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
})
