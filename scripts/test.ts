/**
 * `npm test`: every test, then every journey in a browser. `npm test -- posts` runs the tests whose file names match,
 * `npm test -- --without-journeys` the tests alone.
 */
import { runJourneys, runTests } from './suites.ts'

const given = process.argv.slice(2)
const filters = given.filter((argument) => argument !== '--without-journeys')
const suites = [await runTests({ show: true, filters })]
if (given.length === 0) suites.push(await runJourneys({ show: true }))

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
const passed = sum(suites.map((suite) => suite.counts.passed))
const failed = sum(suites.map((suite) => suite.counts.failed))
for (const again of suites.flatMap((suite) => suite.unsteady))
  console.log(`\n↻ passed when tried again: ${again}`)
for (const failure of suites.flatMap((suite) => suite.failures)) console.log(`\n✗ ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
