import { defineConfig, devices } from '@playwright/test'
import { chromiumFlags, findHeadlessShell } from './scripts/find-chromium.ts'

/**
 * Journeys run on the desktop, @phone ones on the phone, @both on both. Screens are photographed, not tested.
 */
export default defineConfig({
  testDir: 'tests/journeys',
  testMatch: '*.spec.ts',
  outputDir: '.cache/journeys',
  workers: 2,
  fullyParallel: true,
  forbidOnly: Boolean(process.env.CI),
  // Generous, for busy machines.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  retries: 0,
  reporter: 'list',
  use: {
    locale: 'en-US',
    timezoneId: 'UTC',
    // Service workers would hide requests that journeys intercept. Journeys of the worker allow them
    // (tests/journeys/service-worker.spec.ts and neighbours).
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
