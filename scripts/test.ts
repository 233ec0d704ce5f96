/**
 * Words select files or acceptance rows: `npm test -- groups`, `npm test -- HOME-03`. test-tiers.ts describes `--all`
 * and `--external`. `--rows` only lists how many acceptance rows each tier tests.
 */
import { availableParallelism } from 'node:os'
import pLimit from 'p-limit'
import { describeRowsByTier, readAcceptanceRows } from './acceptance-rows.ts'
import {
  runComponentTests,
  runJourneys,
  runServerTests,
  type TestResult,
  type TestSuiteResult,
} from './test-runners.ts'
import { defaultJourneyTag, externalTestFiles, internalTestFiles, longTestFiles } from './test-tiers.ts'

/** The maximum number of tests that may pass only when rerun alone. */
const mostFlaky = 3

/** Each shard of the journeys has one worker with its own server and browser. */
const journeyShards = 4

type Part = {
  name: string
  runs: (() => Promise<TestSuiteResult>)[]
  runAlone: (filter: string) => Promise<TestSuiteResult>
}

const given = process.argv.slice(2)
const everything = given.includes('--all')
const external = given.includes('--external')
const words = given.filter((argument) => !argument.startsWith('--'))
const unknown = given.filter(
  (argument) => argument.startsWith('--') && !['--all', '--external', '--rows'].includes(argument),
)
if (unknown.length > 0) {
  console.error(`There is no option ${unknown.join(', ')}: --all, --external, --rows, or words.`)
  process.exit(1)
}
if (given.includes('--rows')) {
  console.log(describeRowsByTier())
  process.exit(0)
}
const rowIds = words.filter((word) => /^[A-Z]{1,6}-?\d{1,2}$/.test(word))
const filters = words.filter((word) => !rowIds.includes(word))
const chosen = { show: true, filters, namePattern: rowIds.join('|') || undefined }
const takesDefaultTier = !everything && !external && words.length === 0
const leftOutFiles = takesDefaultTier ? longTestFiles : []

const parts: Part[] = [
  {
    name: 'server and unit tests',
    runs: [
      () =>
        external
          ? runServerTests({ show: true, filters: externalTestFiles, exclude: internalTestFiles })
          : runServerTests({ ...chosen, exclude: leftOutFiles }),
    ],
    runAlone: (filter) => runServerTests({ show: true, filters: [filter] }),
  },
  ...(external ? [] : browserParts()),
]

function browserParts(): Part[] {
  return [
    {
      name: 'component tests',
      runs: [() => runComponentTests({ ...chosen, exclude: leftOutFiles })],
      runAlone: (filter) => runComponentTests({ show: true, filters: [filter] }),
    },
    {
      name: 'journeys',
      runs:
        words.length > 0
          ? [() => runJourneys(chosen)]
          : Array.from({ length: journeyShards }, (_, index) => () => runJourneys(journeyShard(index + 1))),
      runAlone: (filter) => runJourneys({ show: true, filters: [filter], workers: 1 }),
    },
  ]
}

function journeyShard(part: number) {
  const namePattern = takesDefaultTier ? defaultJourneyTag : undefined
  return { ...chosen, namePattern, workers: 1, shard: { part, of: journeyShards } }
}

type Ran = { part: Part; results: TestSuiteResult[]; minutes: number[] }

/**
 * Starts the longest runs first, and each further run when an earlier one ends, so that all cores stay busy
 * until the end.
 */
const inSlot = pLimit(Math.max(2, availableParallelism() - 1))
const began = Date.now()
const ran = await Promise.all(parts.map(runPart))
const totalMinutes = minutesSince(began)

async function runPart(part: Part): Promise<Ran> {
  const minutes: number[] = []
  const results = await Promise.all(
    part.runs.map((run) =>
      inSlot(async () => {
        const start = Date.now()
        const result = await run()
        minutes.push(minutesSince(start))
        return result
      }),
    ),
  )
  return { part, results, minutes }
}

function minutesSince(start: number): number {
  return (Date.now() - start) / 60_000
}

const failures: { name: string; why: string }[] = []
const flaky: TestResult[] = []
const isFailed = ({ status }: TestResult) => status === 'failed'
for (const { part, results } of ran) {
  for (const { status, output } of results.filter(
    ({ status, tests }) => status !== 0 && !tests.some(isFailed),
  ))
    failures.push({ name: `the ${part.name} ended with status ${status}`, why: output })
  const failed = results.flatMap(({ tests }) => tests).filter(isFailed)
  for (const test of failed) {
    // Many failures are no coincidence, and each rerun starts a runner, so only a few are rerun.
    const again = test.filter && failed.length <= 2 * mostFlaky ? await part.runAlone(test.filter) : undefined
    if (again?.status === 0 && again.tests.length > 0) flaky.push(test)
    else failures.push({ name: test.name, why: test.why ?? '' })
  }
}
if (flaky.length > mostFlaky)
  failures.push({
    name: `${flaky.length} tests passed only when rerun alone; at most ${mostFlaky} may`,
    why: '',
  })

const tests = ran.flatMap(({ results }) => results).flatMap(({ tests }) => tests)
const passed = tests.filter(({ status }) => status === 'passed').length + flaky.length
console.log('\nThe slowest ten:')
for (const { name, ms } of tests.toSorted((one, other) => other.ms - one.ms).slice(0, 10))
  console.log(`${(ms / 1000).toFixed(1).padStart(6)} s  ${name}`)
const lengths = ran.map(
  ({ part, minutes }) => `${part.name}: ${minutes.map((each) => each.toFixed(1)).join(' + ')} min`,
)
console.log(`\n${lengths.join(' · ')} · together ${totalMinutes.toFixed(1)} min`)
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
  const rows = readAcceptanceRows()
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
