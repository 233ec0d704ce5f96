/**
 * `npm run screens`: photographs every screen in every state, at four widths, light and dark, into `.cache/screens`.
 * `npm run screens -- groups` takes those whose file names match.
 */
import { ensureChromium, howToGetChromium } from './chromium.ts'
import { runTool } from './tools.ts'

if (!ensureChromium()) {
  console.error(howToGetChromium)
  process.exit(1)
}
const taken = ['test', '--project=screens', '--reporter=list', ...process.argv.slice(2)]
const { status } = await runTool('@playwright/test', 'playwright', taken, { show: true })
process.exit(status)
