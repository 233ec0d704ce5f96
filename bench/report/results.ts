import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRootPath } from '#scripts/run-tool.ts'

export type BenchmarkResult = {
  /** A goal from P1 to P29, or the id of an attack. */
  goal: string
  what: string
  /** The result with its unit, for example `0.62` or `14.1 KB`. */
  figure: string
  /** The smallest and the largest value, or another figure. */
  spread?: string
  target: string
  /** Null if the result is only reported. */
  met: boolean | null
}

/** Requesting one goal measures all goals of its benchmark. */
export type BenchmarkDefinition = { goals: string[]; run(): Promise<BenchmarkResult[]> }

const kept = join(import.meta.dirname, 'results.json')
const page = join(projectRootPath, 'docs/benchmarks.md')
const marks = ['<!-- findings -->', '<!-- end of findings -->'] as const

export function saveBenchmarkResults(found: BenchmarkResult[]): void {
  const earlier: BenchmarkResult[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  const goals = new Set(found.map(({ goal }) => goal))
  const all = [...earlier.filter(({ goal }) => !goals.has(goal)), ...found]
  all.sort((one, other) => Number(one.goal.slice(1)) - Number(other.goal.slice(1)))
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`)
  const document = readFileSync(page, 'utf8')
  const [before = ''] = document.split(marks[0])
  const after = document.split(marks[1])[1] ?? ''
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

export const formatValueRange = (values: readonly number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)} … ${Math.max(...values).toFixed(digits)}`
