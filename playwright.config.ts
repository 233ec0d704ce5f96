import { defineConfig, devices } from '@playwright/test'
import { chromiumFlags, findHeadlessShell } from './scripts/find-chromium.ts'

/**
 * A journey runs on the desktop; one tagged @phone on the phone; one tagged @both on either. The screens are no tests:
 * they are photographed for people to look at.
 */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '*.spec.ts',
  outputDir: '.cache/journeys',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Long enough for a busy machine, no measure.
  timeout: 120_000,
  expect: { timeout: 15_000 },
  retries: 0,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // A journey refuses and holds back what its page asks for, and would not see what the service worker asks for in its place.
    // The journeys of the worker allow it: tests/journeys/service-worker.spec.ts and its neighbours.
    serviceWorkers: 'block',
    screenshot: 'only-on-failure',
    trace: 'off',
    launchOptions: { executablePath: findHeadlessShell(), args: chromiumFlags },
  },
  projects: [
    {
      name: 'desktop',
      grepInvert: /@phone/,
      use: { ...devices['Desktop Chrome'], viewport: { width: 1440, height: 1000 } },
    },
    {
      name: 'phone',
      grep: /@phone|@both/,
      use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true },
    },
    {
      name: 'screens',
      testDir: 'tests/screens',
      testMatch: '*.screens.ts',
      outputDir: '.cache/screens/failed',
      timeout: 300_000,
      use: { ...devices['Desktop Chrome'], screenshot: 'off', trace: 'off' },
    },
  ],
})
