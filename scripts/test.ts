/**
 * Words select files or acceptance rows: `npm test -- groups`, `npm test -- HOME-03`. test-tiers.ts describes `--all`
 * and `--external`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeTestTitle } from './escape-test-title.ts'
import { projectRootPath } from './run-tool.ts'
import {
  runComponentTests,
  runJourneys,
  runServerTests,
  type TestResult,
  type TestSuiteResult,
} from './test-runners.ts'
import { defaultJourneyTag, externalTestFiles, internalTestFiles, longTestFiles } from './test-tiers.ts'

/** The most failed tests that may pass when rerun alone. */
const mostFlaky = 3

type Part = {
  name: string
  run: () => Promise<TestSuiteResult>
  runAlone: (test: TestResult) => Promise<TestSuiteResult>
}

const given = process.argv.slice(2)
const everything = given.includes('--all')
const external = given.includes('--external')
const words = given.filter((argument) => !argument.startsWith('--'))
const unknown = given.filter(
  (argument) => argument.startsWith('--') && !['--all', '--external'].includes(argument),
)
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(', ')}: --all, --external, or words.`)
  process.exit(1)
}
const rowIds = words.filter((word) => /^[A-Z]{1,6}-?\d{1,2}$/.test(word))
const filters = words.filter((word) => !rowIds.includes(word))
const chosen = { show: true, filters, namePattern: rowIds.join('|') || undefined }
const takesDefaultTier = !everything && !external && words.length === 0
const leftOutFiles = takesDefaultTier ? longTestFiles : []

const parts: Part[] = [
  {
    name: 'server and unit tests',
    run: () =>
      external
        ? runServerTests({ show: true, filters: externalTestFiles, exclude: internalTestFiles })
        : runServerTests({ ...chosen, exclude: leftOutFiles }),
    runAlone: ({ file, selector }) =>
      runServerTests({ show: true, filters: [file], namePattern: `^${escapeTestTitle(selector)}$` }),
  },
  ...(external ? [] : browserParts()),
]

function browserParts(): Part[] {
  return [
    {
      name: 'component tests',
      run: () => runComponentTests({ ...chosen, exclude: leftOutFiles }),
      runAlone: ({ file, selector }) =>
        runComponentTests({ show: true, filters: [file], namePattern: `^${escapeTestTitle(selector)}$` }),
    },
    {
      name: 'journeys',
      run: () => runJourneys(takesDefaultTier ? { ...chosen, namePattern: defaultJourneyTag } : chosen),
      runAlone: ({ selector }) => runJourneys({ show: true, filters: [selector], workers: 1 }),
    },
  ]
}

const ran: { part: Part; result: TestSuiteResult; minutes: number }[] = []
async function runPart(part: Part): Promise<void> {
  const began = Date.now()
  const result = await part.run()
  ran.push({ part, result, minutes: (Date.now() - began) / 60_000 })
}
// Component tests mostly wait, so they run beside the server tests.
const [server, components, journeys] = parts
await Promise.all([server, components].map((part) => part && runPart(part)))
if (journeys) await runPart(journeys)

const failures: { name: string; why: string }[] = []
const flaky: TestResult[] = []
for (const { part, result } of ran) {
  const failed = result.tests.filter(({ status }) => status === 'failed')
  if (result.status !== 0 && failed.length === 0)
    failures.push({ name: `the ${part.name} ended with status ${result.status}`, why: result.output })
  for (const test of failed) {
    // Reruns only a few failures: many are no coincidence, and each rerun starts a runner.
    const again = test.selector && failed.length <= 2 * mostFlaky ? await part.runAlone(test) : undefined
    if (again?.status === 0 && again.tests.length > 0) flaky.push(test)
    else failures.push({ name: test.name, why: test.why ?? '' })
  }
}
if (flaky.length > mostFlaky)
  failures.push({
    name: `${flaky.length} tests passed only when rerun alone; at most ${mostFlaky} may`,
    why: '',
  })

const tests = ran.flatMap(({ result }) => result.tests)
const passed = tests.filter(({ status }) => status === 'passed').length + flaky.length
console.log('\nThe slowest ten:')
for (const { name, ms } of tests.toSorted((one, other) => other.ms - one.ms).slice(0, 10))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
console.log(`\n${ran.map(({ part, minutes }) => `${part.name}: ${minutes.toFixed(1)} min`).join(' · ')}`)
if (words.length === 0 && !external) console.log(describeCoveredRows())
for (const { name } of tests.filter(({ status }) => status === 'skipped'))
  console.log(`– skipped on this machine: ${name}`)
for (const { name, why } of flaky) console.log(`\n↻ flaky, passed alone: ${quote(name, why)}`)
for (const { name, why } of failures) console.log(`\n✗ ${quote(name, why)}`)
if (takesDefaultTier)
  console.log(
    `\nLeft out: ${longTestFiles.length} groups of long test files and all journeys without ${defaultJourneyTag}. ` +
      '`npm test -- --all` runs everything.',
  )
console.log(`\n${passed} passed, ${failures.length} failed`)
process.exit(failures.length === 0 ? 0 : 1)

function describeCoveredRows(): string {
  const book = readFileSync(join(projectRootPath, 'docs/acceptance.md'), 'utf8')
  const rows = [...book.matchAll(/^\| ([A-Z]{1,6}-\d{2})\b/gm)].map(([, id = '']) => id)
  const proven = new Set(
    tests
      .filter(({ status }) => status === 'passed')
      .flatMap(({ name }) => name.match(/\b[A-Z]{1,6}-\d{2}\b/g) ?? []),
  )
  const missing = rows.filter((id) => !proven.has(id))
  const list = everything && missing.length > 0 ? `; not proven: ${missing.join(' ')}` : ''
  return `${rows.length - missing.length} of ${rows.length} acceptance rows proven${list}`
}

/** Assertion messages can be very long. */
function quote(name: string, why = ''): string {
  return [name, ...why.split('\n', 70).map((line) => line.slice(0, 300))].join('\n    ')
}
