/**
 * `npm test`: the tests, then every journey in a browser; `npm test -- --all` with those that only `.ci/run` has the minutes
 * for. `npm test -- posts` runs the tests whose file names match, `npm test -- --without-journeys` the tests alone.
 */
import { ciOnlyJourneyTag, ciOnlyTestFiles, runBrowserJourneys, runVitestSuite } from './test-runners.ts'

const options = ['--without-journeys', '--all']
const given = process.argv.slice(2)
const filters = given.filter((argument) => !options.includes(argument))
const everything = filters.length > 0 || given.includes('--all')
const left = everything ? [] : ciOnlyTestFiles.map((pattern) => `--exclude=${pattern}`)
const suites = [await runVitestSuite({ show: true, filters: [...filters, ...left] })]
if (filters.length === 0 && !given.includes('--without-journeys'))
  suites.push(await runBrowserJourneys({ show: true, gateOnly: everything }))

const sum = (counts: number[]) => counts.reduce((total, count) => total + count, 0)
const passed = sum(suites.map((suite) => suite.counts.passed))
const failed = sum(suites.map((suite) => suite.counts.failed))
if (filters.length === 0) {
  const slowest = suites.flatMap((suite) => suite.times).sort((one, other) => other.ms - one.ms)
  console.log('\nThe slowest ten:')
  for (const { name, ms } of slowest.slice(0, 10))
    console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
}
if (left.length > 0)
  console.log(
    `\nLeft to .ci/run and \`npm test -- --all\`: ${[...ciOnlyTestFiles, `journeys tagged ${ciOnlyJourneyTag}`].join(', ')}`,
  )
for (const skipped of suites.flatMap((suite) => suite.skipped))
  console.log(`\n– skipped on this machine: ${skipped}`)
for (const again of suites.flatMap((suite) => suite.unsteady))
  console.log(`\n↻ passed when tried again: ${again}`)
for (const failure of suites.flatMap((suite) => suite.failures)) console.log(`\n✗ ${failure}`)
console.log(`\n${passed} passed, ${failed} failed`)
process.exit(failed === 0 ? 0 : 1)
