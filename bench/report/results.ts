/** Keeps results in bench/report/results.json and writes them into docs/benchmarks.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from '#scripts/run-tool.ts'

export type BenchmarkResult = {
  /** P1 … P29 of the goals, or the id of an attack that a measure answers. */
  goal: string
  what: string
  /** In words with its unit: `0.62`, `14.1 KB`. */
  figure: string
  /** Minimum and maximum of the rounds, or another figure beside it. */
  spread?: string
  target: string
  /** Null where the goal is only to be reported. */
  met: boolean | null
}

/** One benchmark: run as a whole when one of its goals is asked for. */
export type BenchmarkDefinition = { goals: string[]; run(): Promise<BenchmarkResult[]> }

const kept = join(import.meta.dirname, 'results.json')
const page = join(projectRootPath, 'docs/benchmarks.md')
const marks = ['<!-- findings -->', '<!-- end of findings -->'] as const

/** Replaces earlier results of the same goals, and rewrites the page. */
export function saveBenchmarkResults(found: BenchmarkResult[]): void {
  const earlier: BenchmarkResult[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  const goals = new Set(found.map(({ goal }) => goal))
  const all = [...earlier.filter(({ goal }) => !goals.has(goal)), ...found]
  all.sort((one, other) => Number(one.goal.slice(1)) - Number(other.goal.slice(1)))
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`)
  const told = readFileSync(page, 'utf8')
  const [before = ''] = told.split(marks[0])
  const after = told.split(marks[1])[1] ?? ''
  writeFileSync(page, `${before}${marks[0]}\n${formatResultsTable(all)}\n${marks[1]}${after}`)
}

export function formatResultsTable(findings: BenchmarkResult[]): string {
  const rows = findings.map(({ goal, what, figure, spread = '', target, met }) =>
    [goal, what, figure, spread, target, met === null ? '–' : met ? 'yes' : '**no**'].join(' | '),
  )
  return [
    '| goal | what | figure | spread | target | met |',
    '|---|---|---|---|---|---|',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n')
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}

/** `0.51 … 0.63` */
export const formatValueRange = (values: readonly number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)} … ${Math.max(...values).toFixed(digits)}`
