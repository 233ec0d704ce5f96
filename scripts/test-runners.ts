/** The two test runners, and what their reports count. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium, missingChromiumMessage } from './find-chromium.ts'
import { type ProgramOutcome, runPackageProgram, toolCacheFolder } from './run-tool.ts'

export type TestCounts = { passed: number; failed: number }
/**
 * `failures` are the names of the failed tests, each with its first words of why; `unsteady` those that passed when tried
 * again; `skipped` those that this machine cannot run.
 */
export type TestSuiteResult = ProgramOutcome & {
  counts: TestCounts
  failures: string[]
  unsteady: string[]
  skipped: string[]
  times: { name: string; ms: number }[]
}

/**
 * Files that start whole servers, kill them, or send thousands of requests: minutes that `.ci/run` takes and `npm test` does
 * not, unless asked by name or by `--all`. No row of docs/acceptance.md is proven there alone (tests/conventions).
 */
export const ciOnlyTestFiles = [
  'scripts/backup-restore-and-doctor.test.ts',
  'server/appwrite/storage/large-upload.test.ts',
  'server/appwrite/storage/upload-crash.test.ts',
  'server/database/embedded-postgres.test.ts',
  'tests/cluster/rolling-restart.test.ts',
  'tests/durability/**',
  'tests/fuzz/http-fuzz.test.ts',
  'tests/security/request-floods.test.ts',
]

/** Stands in the titles of journeys that only the gate runs. */
export const ciOnlyJourneyTag = '@gate'

/** More journeys than this that pass only the second time are a failure of the run. */
const mostUnsteady = 2

/** Unit and integration tests. @param filters as vitest takes them. */
export async function runVitestSuite(options: {
  show: boolean
  filters?: string[]
}): Promise<TestSuiteResult> {
  const report = freshReport('tests.json')
  const outcome = await runPackageProgram(
    'vitest',
    'vitest',
    [
      'run',
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...(options.filters ?? []),
    ],
    { show: options.show },
  )
  const counted = readReport<TestReport>(report)
  const results = (counted?.testResults ?? []).flatMap(({ assertionResults }) => assertionResults)
  const named = (wanted: string[]) => results.filter(({ status }) => wanted.includes(status))
  return settle(outcome, {
    counts: { passed: counted?.numPassedTests ?? 0, failed: counted?.numFailedTests ?? 0 },
    failures: named(['failed']).map(({ fullName, failureMessages }) => failure(fullName, failureMessages[0])),
    unsteady: [],
    skipped: named(['skipped', 'pending']).map(({ fullName }) => fullName),
    times: named(['passed', 'failed']).map(({ fullName, duration }) => ({
      name: fullName,
      ms: duration ?? 0,
    })),
  })
}

type TestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: {
    assertionResults: {
      status: string
      fullName: string
      failureMessages: string[]
      duration?: number | null
    }[]
  }[]
}

/** Journeys in a browser. @param options.gateOnly whether those run too that only the gate has the minutes for */
export async function runBrowserJourneys(options: {
  show: boolean
  gateOnly: boolean
}): Promise<TestSuiteResult> {
  if (!ensureChromium()) {
    if (options.show) console.error(missingChromiumMessage)
    return {
      status: 1,
      output: missingChromiumMessage,
      counts: { passed: 0, failed: 1 },
      failures: [missingChromiumMessage],
      unsteady: [],
      skipped: [],
      times: [],
    }
  }
  const report = freshReport('journeys.json')
  const outcome = await runPackageProgram(
    '@playwright/test',
    'playwright',
    [
      'test',
      '--project=desktop',
      '--project=phone',
      '--reporter=list,json',
      '--pass-with-no-tests',
      ...(options.gateOnly ? [] : [`--grep-invert=${ciOnlyJourneyTag}`]),
    ],
    { show: options.show, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  const told = readReport<JourneyReport>(report)
  const counts = {
    passed: (told?.stats.expected ?? 0) + (told?.stats.flaky ?? 0),
    failed: told?.stats.unexpected ?? 0,
  }
  const specs = (told?.suites ?? []).flatMap(specsOf)
  const broken = specs.flatMap(brokenIn)
  const words = (ones: typeof broken) => ones.map(({ title, result }) => journeyFailure(title, result))
  const failures = words(broken.filter(({ ok }) => !ok))
  const unsteady = words(broken.filter(({ ok }) => ok))
  if (unsteady.length > mostUnsteady) {
    counts.failed += 1
    failures.push(`${unsteady.length} journeys passed only when tried again; ${mostUnsteady} at most may.`)
  }
  return settle(outcome, {
    counts,
    failures,
    unsteady,
    skipped: specs.filter(wasSkipped).map(({ title }) => title),
    times: specs.flatMap(({ title, tests }) =>
      tests.flatMap(({ projectName, results }) =>
        results.map(({ duration }) => ({ name: `${title} (${projectName})`, ms: duration })),
      ),
    ),
  })
}

type Result = {
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
  duration: number
}
type Spec = {
  ok: boolean
  title: string
  tests: { projectName: string; status: string; results: Result[] }[]
}
type JourneySuite = { suites?: JourneySuite[]; specs: Spec[] }
type JourneyReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: JourneySuite[]
}

const specsOf = ({ suites = [], specs }: JourneySuite): Spec[] => [...specs, ...suites.flatMap(specsOf)]

const wasSkipped = ({ tests }: Spec) => tests.some(({ status }) => status === 'skipped')

/** The first broken try of a journey, if one was. */
function brokenIn({ ok, title, tests }: Spec): { ok: boolean; title: string; result: Result }[] {
  const result = tests.flatMap(({ results }) => results).find(isBroken)
  return result || !ok ? [{ ok, title, result: result ?? { duration: 0 } }] : []
}

function isBroken(result: { error?: unknown }): boolean {
  return result.error !== undefined
}

/** With what the page said when it failed: a machine that runs the gate keeps no trace. */
function journeyFailure(title: string, { error, attachments = [] }: Result): string {
  const context = attachments.find(({ name }) => name === 'error-context')?.path
  const [, page = ''] = context ? readFileSync(context, 'utf8').split('```yaml\n') : []
  return [failure(title, error?.message), ...page.split('\n').slice(0, 60)].join('\n    ')
}

/** In short lines: an assertion over a whole answer is one of many thousand characters. */
function failure(name: string, why = ''): string {
  return [name, ...why.split('\n', 12).map((line) => line.slice(0, 300))].join('\n    ')
}

/**
 * A run that failed without a failed test (a file that does not load, a leak) counts as one failure, and a failure fails the
 * run.
 */
function settle(outcome: ProgramOutcome, told: Omit<TestSuiteResult, keyof ProgramOutcome>): TestSuiteResult {
  const { passed, failed } = told.counts
  const counts = { passed, failed: outcome.status === 0 ? failed : Math.max(failed, 1) }
  return { ...outcome, ...told, status: counts.failed === 0 ? 0 : outcome.status || 1, counts }
}

function freshReport(name: string): string {
  mkdirSync(toolCacheFolder, { recursive: true })
  const path = join(toolCacheFolder, name)
  rmSync(path, { force: true })
  return path
}

function readReport<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}
