/**
 * `npm run mutants` plants each fault in a copy of the project and prints the faults that no test finds. `npm run
 * mutants -- chat` filters by name or file.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { escapeTestTitle } from './escape-test-title.ts'
import { plantedFaults } from './mutants/faults.ts'
import type { PlantedFault } from './mutants/planted-fault.ts'
import { replaceOnce } from './mutants/replace-once.ts'
import { projectRootPath, runProgram, toolCacheFolder } from './run-tool.ts'

const copy = join(toolCacheFolder, 'mutants')
const [wanted = ''] = process.argv.slice(2)
const chosen = plantedFaults.filter(({ name, file }) => `${name} ${file}`.includes(wanted))
copyProject()

const tests = [...new Set(chosen.map(({ red }) => red[0]))]
const before = await passedAndFailed(tests)
const unfit = chosen.filter(({ red }) => !before.passed.some((title) => title.includes(red[1])))
for (const { name, red } of unfit) console.log(`✗ ${name}: without it no test ${red.join(' › ')} passes`)

const survivors: PlantedFault[] = []
for (const fault of chosen.filter((one) => !unfit.includes(one))) {
  const began = Date.now()
  const caught = await isCaught(fault)
  if (!caught) survivors.push(fault)
  const seconds = ((Date.now() - began) / 1000).toFixed(1)
  console.log(`${caught ? '✓ caught' : '✗ SURVIVES'}: ${fault.name} (${fault.file}, ${seconds} s)`)
}
rmSync(copy, { recursive: true, force: true })
console.log(`\n${chosen.length - survivors.length - unfit.length} caught, ${survivors.length} survive`)
process.exitCode = survivors.length + unfit.length === 0 ? 0 : 1

/** Faults never change the working copy. The copy includes new files. */
function copyProject(): void {
  rmSync(copy, { recursive: true, force: true })
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: projectRootPath,
  })
  for (const path of listed.toString().split('\0').filter(Boolean)) {
    if (!existsSync(join(projectRootPath, path))) continue
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(projectRootPath, path), join(copy, path))
  }
  symlinkSync(join(projectRootPath, 'node_modules'), join(copy, 'node_modules'), 'dir')
}

/** A test file that fails to load does not count. */
async function isCaught({ file, find, replace, red: [test, title], cells }: PlantedFault): Promise<boolean> {
  const path = join(copy, file)
  const sound = readFileSync(path, 'utf8')
  writeFileSync(path, replaceOnce(sound, find, replace))
  try {
    const { failed, messages } = await passedAndFailed([test], title)
    // The test reports a cell as `[K Kira: ok instead of 404]`, with its column and its person.
    const columns = messages.flatMap((said) => [...said.matchAll(/\[([A-Z]) \w+: /g)].map(([, one]) => one))
    const otherwise = [...new Set(columns)].sort().join(' ')
    if (cells) console.log(`  ${title}: ${otherwise}`)
    const isWhole = !cells || otherwise === cells.split(' ').sort().join(' ')
    return isWhole && failed.some((failure) => failure.includes(title))
  } finally {
    writeFileSync(path, sound)
  }
}

/** @param title a part of the titles to run @returns the titles of passed and failed tests */
async function passedAndFailed(files: string[], title?: string) {
  const report = join(copy, '.cache/report.json')
  rmSync(report, { force: true })
  const journeys = files.filter((path) => path.endsWith('.spec.ts'))
  const others = files.filter((path) => !path.endsWith('.spec.ts'))
  const results: { title: string; passed: boolean; messages?: string[] }[] = []
  if (others.length > 0) {
    const only = title ? ['-t', escapeTestTitle(title)] : []
    const program = join(projectRootPath, 'node_modules/vitest/vitest.mjs')
    const options = ['--reporter=json', `--outputFile=${report}`, '--no-color', ...only]
    await runProgram(process.execPath, [program, 'run', ...others, ...options], { cwd: copy })
    results.push(...readTests(report))
  }
  if (journeys.length > 0) {
    await runProgram(process.execPath, [join(projectRootPath, 'node_modules/vite/bin/vite.js'), 'build'], {
      cwd: copy,
    })
    const program = join(projectRootPath, 'node_modules/@playwright/test/cli.js')
    const only = title ? ['-g', escapeTestTitle(title)] : []
    const options = ['--project=desktop', '--project=phone', '--retries=0', '--reporter=json', ...only]
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report }
    await runProgram(process.execPath, [program, 'test', ...journeys, ...options], { cwd: copy, env })
    results.push(...readJourneys(report))
  }
  const titles = (wanted: boolean) =>
    results.filter(({ passed }) => passed === wanted).map((one) => one.title)
  const messages = results.flatMap((one) => one.messages ?? [])
  return { passed: titles(true), failed: titles(false), messages }
}

type TestResult = { status: string; fullName: string; failureMessages?: string[] }
type TestReport = { testResults: { assertionResults: TestResult[] }[] }

function readTests(report: string) {
  if (!existsSync(report)) return []
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as TestReport
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ fullName, status, failureMessages }) => ({
      ...{ title: fullName, passed: status === 'passed', messages: failureMessages },
    }))
}

type JourneySuite = { suites?: JourneySuite[]; specs: { title: string; ok: boolean }[] }

function readJourneys(report: string) {
  if (!existsSync(report)) return []
  const all = ({ suites = [], specs }: JourneySuite): JourneySuite['specs'] => [
    ...specs,
    ...suites.flatMap(all),
  ]
  const { suites } = JSON.parse(readFileSync(report, 'utf8')) as { suites: JourneySuite[] }
  return suites.flatMap(all).map(({ title, ok }) => ({ title, passed: ok }))
}
