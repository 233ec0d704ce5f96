/** Component tests: the web app in one browser page, answered at the fetch boundary. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, findHeadlessShell } from './scripts/find-chromium.ts'

const desktop = { width: 1440, height: 1000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [react(), tailwindcss()],
  test: {
    include: ['web/**/*.component.test.tsx'],
    setupFiles: ['./tests/support/component/reset-page.ts'],
    // Generous, for busy machines.
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    isolate: false,
    fileParallelism: false,
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      viewport: desktop,
      provider: playwright({
        launchOptions: { executablePath: findHeadlessShell(), args: chromiumFlags },
        contextOptions: { locale: 'en-US', timezoneId: 'UTC' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
})
