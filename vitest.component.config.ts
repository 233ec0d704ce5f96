/** Component tests: the web app in one browser page, answered at the fetch boundary. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { chromiumFlags, findHeadlessShell } from './scripts/find-chromium.ts'
import { translateTextsPlugin } from './scripts/languages/translate-texts.ts'

/** React's development build takes a third more processor time, and members never receive it. */
process.env.NODE_ENV = 'production'

const desktop = { width: 1440, height: 1000 }

export default defineConfig({
  publicDir: 'web/public',
  plugins: [
    translateTextsPlugin(),
    react(),
    tailwindcss(),
    // The tests have no service worker to register.
    {
      name: 'not-built',
      configResolved({ env }) {
        env.PROD = false
      },
    },
  ],
  test: {
    include: ['web/**/*.component.test.tsx'],
    setupFiles: ['./tests/support/component/reset-page.ts'],
    // Generous, for busy machines.
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
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
