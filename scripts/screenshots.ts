/**
 * `npm run screens` takes screenshots at four widths, light and dark, into `.cache/screens`. `npm run screens --
 * groups` filters by file.
 */
import { ensureChromium, missingChromiumMessage } from './find-chromium.ts'
import { runPackageProgram } from './run-tool.ts'

if (!ensureChromium()) {
  console.error(missingChromiumMessage)
  process.exit(1)
}
const taken = ['test', '--project=screens', '--reporter=list', ...process.argv.slice(2)]
const { status } = await runPackageProgram('@playwright/test', 'playwright', taken, { show: true })
process.exit(status)
