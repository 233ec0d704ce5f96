import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ensureChromium, missingChromiumMessage } from './find-chromium.ts'
import { type ProgramOutcome, projectRootPath, runPackageProgram, toolCacheFolder } from './run-tool.ts'

export type TestResult = {
  file: string
  /** The name includes the titles of the test's groups. */
  name: string
  status: 'passed' | 'failed' | 'skipped'
  ms: number
  why?: string
  /** Tests of the server share state with others of their file, so the filter takes their whole file. */
  filter: string
}

/** `tests` is empty if the runner failed before its report. */
export type TestSuiteResult = ProgramOutcome & { tests: TestResult[] }

type VitestSuiteOptions = {
  show: boolean
  filters?: string[]
  exclude?: string[]
  namePattern?: string
}

export const runServerTests = (options: VitestSuiteOptions): Promise<TestSuiteResult> =>
  runVitest('vitest.config.ts', 'server-tests.json', options)

export const runComponentTests = (options: VitestSuiteOptions): Promise<TestSuiteResult> =>
  withChromium(() => runVitest('vitest.component.config.ts', 'component-tests.json', options))

async function runVitest(
  config: string,
  reportName: string,
  { show, filters = [], exclude = [], namePattern }: VitestSuiteOptions,
): Promise<TestSuiteResult> {
  const report = freshReport(reportName)
  const outcome = await runPackageProgram(
    'vitest',
    'vitest',
    [
      ...['run', '--config', config, '--passWithNoTests'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
      ...exclude.map((pattern) => `--exclude=${pattern}`),
      ...(namePattern ? ['--testNamePattern', namePattern] : []),
      ...filters,
    ],
    { show },
  )
  const { testResults = [] } = readReport<VitestReport>(report) ?? {}
  const tests = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(projectRootPath, name)
    // A file that failed to load contains no tests, so the file itself counts as a failed test.
    if (status === 'failed' && assertionResults.length === 0)
      return [{ file, name: file, status, ms: 0, why: message, filter: '' }]
    return assertionResults.map(
      ({ status, fullName, failureMessages, duration }): TestResult => ({
        file,
        name: fullName,
        status: status === 'passed' || status === 'failed' ? status : 'skipped',
        ms: duration ?? 0,
        why: failureMessages[0],
        filter: file,
      }),
    )
  })
  // Vitest reports excluded tests as skipped.
  return { ...outcome, tests: namePattern ? tests.filter(({ status }) => status !== 'skipped') : tests }
}

type VitestReport = {
  testResults: {
    name: string
    status: 'passed' | 'failed'
    message: string
    assertionResults: {
      status: string
      fullName: string
      failureMessages: string[]
      duration?: number | null
    }[]
  }[]
}

export const runJourneys = ({
  show,
  filters = [],
  namePattern,
  workers,
  shard,
}: {
  show: boolean
  filters?: string[]
  namePattern?: string
  workers?: number
  /** Shards may run at the same time. */
  shard?: { part: number; of: number }
}): Promise<TestSuiteResult> =>
  withChromium(async () => {
    const name = shard ? `journeys-${shard.part}` : 'journeys'
    const report = freshReport(`${name}.json`)
    const outcome = await runPackageProgram(
      '@playwright/test',
      'playwright',
      [
        ...['test', '--project=desktop', '--project=phone', '--reporter=list,json', '--pass-with-no-tests'],
        ...(namePattern ? [`--grep=${namePattern}`] : []),
        ...(workers ? [`--workers=${workers}`] : []),
        // Each run empties its output folder, so each shard has its own.
        ...(shard ? [`--shard=${shard.part}/${shard.of}`, `--output=.cache/${name}`] : []),
        ...filters,
      ],
      { show, env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report } },
    )
    const { suites = [], errors = [] } = readReport<JourneyReport>(report) ?? {}
    const tests = suites.flatMap(specsOf).flatMap(({ file, line, title, tests }) =>
      tests.map(({ projectName, status, results }): TestResult => {
        const last = results.at(-1)
        return {
          file: `tests/journeys/${file}`,
          name: `${title} (${projectName})`,
          status: status === 'expected' ? 'passed' : status === 'skipped' ? 'skipped' : 'failed',
          ms: last?.duration ?? 0,
          why: last && [last.error?.message ?? '', pageAtFailure(last)].join('\n'),
          filter: `${file}:${line}`,
        }
      }),
    )
    const unloaded = errors.map(
      ({ message }): TestResult => ({
        file: 'tests/journeys',
        name: 'the journeys could not be loaded',
        status: 'failed',
        ms: 0,
        why: message,
        filter: '',
      }),
    )
    return { ...outcome, tests: [...tests, ...unloaded] }
  })

type JourneyResult = {
  error?: { message?: string }
  attachments?: { name: string; path?: string }[]
  duration: number
}
type JourneySpec = {
  file: string
  line: number
  title: string
  tests: {
    projectName: string
    status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
    results: JourneyResult[]
  }[]
}
type JourneySuite = { suites?: JourneySuite[]; specs: JourneySpec[] }
type JourneyReport = { suites: JourneySuite[]; errors: { message?: string }[] }

const specsOf = ({ suites = [], specs }: JourneySuite): JourneySpec[] => [
  ...specs,
  ...suites.flatMap(specsOf),
]

/** CI keeps no trace, so the report contains the page from its main landmark on. */
function pageAtFailure({ attachments = [] }: JourneyResult): string {
  const context = attachments.find(({ name }) => name === 'error-context')?.path
  const [, page = ''] = context && existsSync(context) ? readFileSync(context, 'utf8').split('```yaml\n') : []
  const lines = page.split('\n')
  const main = lines.findIndex((line) => line.trimStart().startsWith('- main'))
  return lines.slice(Math.max(0, main)).slice(0, 60).join('\n')
}

async function withChromium(run: () => Promise<TestSuiteResult>): Promise<TestSuiteResult> {
  if (ensureChromium()) return run()
  console.error(missingChromiumMessage)
  return { status: 1, output: missingChromiumMessage, tests: [] }
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
