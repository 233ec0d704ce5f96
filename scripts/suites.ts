/** The two test runners, and what their reports count. */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ensureChromium, howToGetChromium } from './chromium.ts'
import { cacheFolder, type Outcome, runTool } from './tools.ts'

export type Counts = { passed: number; failed: number }
/**
 * `failures` are the names of the failed tests, each with its first words of why; `unsteady` those that passed when tried
 * again.
 */
export type Suite = Outcome & { counts: Counts; failures: string[]; unsteady: string[] }

/** Unit and integration tests. @param filters as vitest takes them. */
export async function runTests(options: { show: boolean; filters?: string[] }): Promise<Suite> {
  const report = freshReport('tests.json')
  const outcome = await runTool(
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
  const failures = (counted?.testResults ?? []).flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => failure(fullName, failureMessages[0])),
  )
  return settle(
    outcome,
    { passed: counted?.numPassedTests ?? 0, failed: counted?.numFailedTests ?? 0 },
    failures,
  )
}

type TestReport = {
  numPassedTests: number
  numFailedTests: number
  testResults: { assertionResults: { status: string; fullName: string; failureMessages: string[] }[] }[]
}

/** Journeys in a browser. @param filters as Playwright takes them. */
export async function runJourneys(options: { show: boolean; filters?: string[] }): Promise<Suite> {
  if (!ensureChromium()) {
    if (options.show) console.error(howToGetChromium)
    return {
      status: 1,
      output: howToGetChromium,
      counts: { passed: 0, failed: 1 },
      failures: [howToGetChromium],
      unsteady: [],
    }
  }
  const report = freshReport('journeys.json')
  const outcome = await runTool(
    '@playwright/test',
    'playwright',
    [
      'test',
      '--project=desktop',
      '--project=phone',
      '--reporter=list,json',
      '--pass-with-no-tests',
      ...(options.filters ?? []),
    ],
    { show: options.show, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
  )
  const told = readReport<JourneyReport>(report)
  const counts = {
    passed: (told?.stats.expected ?? 0) + (told?.stats.flaky ?? 0),
    failed: told?.stats.unexpected ?? 0,
  }
  const broken = (told?.suites ?? []).flatMap(specsOf).flatMap(brokenIn)
  const words = (ones: typeof broken) => ones.map(({ title, result }) => journeyFailure(title, result))
  return settle(outcome, counts, words(broken.filter(({ ok }) => !ok)), words(broken.filter(({ ok }) => ok)))
}

type Result = { error?: { message?: string }; attachments?: { name: string; path?: string }[] }
type Spec = { ok: boolean; title: string; tests: { results: Result[] }[] }
type JourneySuite = { suites?: JourneySuite[]; specs: Spec[] }
type JourneyReport = {
  stats: { expected: number; unexpected: number; flaky: number }
  suites: JourneySuite[]
}

const specsOf = ({ suites = [], specs }: JourneySuite): Spec[] => [...specs, ...suites.flatMap(specsOf)]

/** The first broken try of a journey, if one was. */
function brokenIn({ ok, title, tests }: Spec): { ok: boolean; title: string; result: Result }[] {
  const result = tests.flatMap(({ results }) => results).find(isBroken)
  return result || !ok ? [{ ok, title, result: result ?? {} }] : []
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

function failure(name: string, why = ''): string {
  return [name, ...why.split('\n').slice(0, 12)].join('\n    ')
}

/** A run that failed without a failed test (a file that does not load, a leak) counts as one failure. */
function settle(
  outcome: Outcome,
  { passed, failed }: Counts,
  failures: string[],
  unsteady: string[] = [],
): Suite {
  return {
    ...outcome,
    counts: { passed, failed: outcome.status === 0 ? failed : Math.max(failed, 1) },
    failures,
    unsteady,
  }
}

function freshReport(name: string): string {
  mkdirSync(cacheFolder, { recursive: true })
  const path = join(cacheFolder, name)
  rmSync(path, { force: true })
  return path
}

function readReport<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as T) : undefined
}
