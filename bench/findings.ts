/** What a bench found, and where the findings are kept and told: bench/findings.json and docs/benchmarks.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../scripts/tools.ts'

export type Finding = {
  /** P1 … P20 of the goals. */
  goal: string
  what: string
  /** In words with its unit: `0.62`, `14.1 KB`. */
  figure: string
  /** Least and most of the rounds, or what else was read beside it. */
  spread?: string
  target: string
  /** Null where the goal is only to be reported. */
  met: boolean | null
}

/** A piece of the bench: run as a whole when one of its goals is asked for. */
export type Measure = { goals: string[]; run(): Promise<Finding[]> }

const kept = join(import.meta.dirname, 'findings.json')
const page = join(root, 'docs/benchmarks.md')
const marks = ['<!-- findings -->', '<!-- end of findings -->'] as const

/** Puts findings in the place of earlier ones of the same goals, and writes the page anew. */
export function keepFindings(found: Finding[]): void {
  const earlier: Finding[] = existsSync(kept) ? JSON.parse(readFileSync(kept, 'utf8')) : []
  const goals = new Set(found.map(({ goal }) => goal))
  const all = [...earlier.filter(({ goal }) => !goals.has(goal)), ...found]
  all.sort((one, other) => Number(one.goal.slice(1)) - Number(other.goal.slice(1)))
  writeFileSync(kept, `${JSON.stringify(all, null, 2)}\n`)
  const told = readFileSync(page, 'utf8')
  const [before = ''] = told.split(marks[0])
  const after = told.split(marks[1])[1] ?? ''
  writeFileSync(page, `${before}${marks[0]}\n${asTable(all)}\n${marks[1]}${after}`)
}

export function asTable(findings: Finding[]): string {
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
export const spreadOf = (values: readonly number[], digits = 2): string =>
  `${Math.min(...values).toFixed(digits)} … ${Math.max(...values).toFixed(digits)}`
